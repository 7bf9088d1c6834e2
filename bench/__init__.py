"""Repeatable measurements of the product, each against the budget of its design."""
