"""Segments that left the cache, and which of them a new text asks for."""
