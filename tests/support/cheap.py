"""What each test's own application would do anew, and what is slow on purpose: done once, or made cheap."""

from contextlib import contextmanager

from argon2 import PasswordHasher
from jinja2 import BytecodeCache

from inspect_app.services import passwords


@contextmanager
def weak_passwords():
    """Argon2 as weak as it can be: thousands of sign-ins are tried, and none is attacked."""
    strong, passwords.HASHER = passwords.HASHER, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    try:
        yield
    finally:
        passwords.HASHER = strong


class CompiledTemplates(BytecodeCache):
    """Templates as they were compiled, by the hash of their text, for this process's next application."""

    def __init__(self):
        self.kept = {}

    def load_bytecode(self, bucket):
        if found := self.kept.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket):
        self.kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


TEMPLATES = CompiledTemplates()
