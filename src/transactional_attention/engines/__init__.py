"""Runtimes that hold the cache: one package each."""
