"""Utility, spans and a budget to the slots that stay. Nothing here knows text or models."""
