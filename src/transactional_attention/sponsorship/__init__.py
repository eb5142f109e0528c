"""Anchors to protected spans: how strongly, for how long, and who yields to whom."""
