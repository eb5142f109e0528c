"""Tasks: each makes cases."""
