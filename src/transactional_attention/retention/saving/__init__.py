"""What a saved cache holds of a batch, and the way back: plain records, no text and no ids."""
