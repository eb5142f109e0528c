"""What people state in other languages than English, what states nothing, and hostile pieces."""
