"""The decisions for a batch: token ids in, slots to keep out. Engines carry them out."""
