"""``ta serve``: bounded sessions behind OpenAI's interface and Anthropic's.

HTTP and its forms are here, and where sessions live; what runs a model is an engine
(``engines/session.py``).
"""

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
