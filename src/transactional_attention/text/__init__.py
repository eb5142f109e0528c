"""Token ids to text with offsets and back, in pieces that arrive; nothing here knows patterns."""
