"""A fleet of tablets, an office and one server in one thread, with every fault a seed can think of.

`python -m tests.simulation --seeds 1-300` runs it. The server is the real application on its real
database; simulated are the tablets, the line between, the clocks, and the moments at which either side is
killed.
"""
