"""Utility, spans and a budget to the slots that stay; nothing here knows text or models."""
