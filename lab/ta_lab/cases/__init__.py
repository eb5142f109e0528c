"""Cases, a runner that prefills once and evicts many times, metrics, provenance, tables."""
