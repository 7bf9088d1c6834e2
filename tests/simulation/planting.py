"""Putting something else in the place of a name for as long as a context is open."""

from contextlib import contextmanager


@contextmanager
def planted(*changes):
    """Put each (owner, name, value) in place; the old ones come back."""
    old = [(owner, name, vars(owner)[name]) for owner, name, _ in changes]
    for owner, name, value in changes:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in old:
            setattr(owner, name, value)
