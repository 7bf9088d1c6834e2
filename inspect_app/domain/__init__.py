"""The trade itself: readings, rules, forms, merging, custody. Standard library only."""
