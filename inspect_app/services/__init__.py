"""Use cases. Each writing function is one transaction."""
