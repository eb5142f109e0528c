"""Text to anchors: where a value is stated, its label, and how sure that is; no tokens here."""
