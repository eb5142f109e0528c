"""``ta serve``: bounded sessions behind OpenAI's interface.

HTTP and its forms are here, and where sessions live; what runs a model is an engine
(``engines/serving.py``).
"""
