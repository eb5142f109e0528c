"""What a cut keeps and why, for people: plans, reports, pages. Values are masked unless
revealed."""
