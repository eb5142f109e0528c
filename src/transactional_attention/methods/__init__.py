"""What a method is, the methods by name, and the scorers and allocations that they combine."""
