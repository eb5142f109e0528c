"""Token ids to text with offsets and back, in pieces as they arrive. Nothing here knows
patterns."""
