"""What people tell without a sign between label and value: one grammar a file, and the words that
several share. ``namers`` asks them in their order."""
