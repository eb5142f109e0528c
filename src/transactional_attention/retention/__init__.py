"""The flow of a batch: token ids in, the slots to keep out; engines carry it out."""
