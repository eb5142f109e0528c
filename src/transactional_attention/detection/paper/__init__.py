"""The paper's detectors: patterns, sentences, embeddings, and the learned ones."""
