"""What a cut keeps and why, for people: plans, reports, pages; values masked unless revealed."""
