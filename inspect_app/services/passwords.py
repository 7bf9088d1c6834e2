"""Passwords: hashing them with argon2, a few at a time, and which new ones are accepted."""

import functools
import secrets
import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from inspect_app.domain.errors import Refused

LEAST_PASSWORD_LENGTH = 10
LONGEST_PASSWORD = 256  # a longer one is no safer, and hashing it is work an outsider could order
HASHER = PasswordHasher()
# One hash takes 64 MiB and a tenth of a second: unlimited, eight sign-ins at once would take half a gigabyte.
_HASHING = threading.BoundedSemaphore(2)


def check_new(password: str, sign_in_name: str) -> None:
    """Raise Refused for a password that is too short, absurdly long, or the sign-in name itself."""
    why = None
    if len(password) < LEAST_PASSWORD_LENGTH:
        why = f"The password has {len(password)} characters. Use {LEAST_PASSWORD_LENGTH} or more."
    elif len(password) > LONGEST_PASSWORD:
        why = f"The password is longer than {LONGEST_PASSWORD} characters. Use a shorter one."
    elif password.strip().lower() == sign_in_name:
        why = "The password is the sign-in name. Choose another."
    if why:
        raise Refused(why, errors={"password": [why]})


def made_up() -> str:
    """Twenty characters in groups of five, 100 bits, without letters that look alike."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


def hashed(password: str) -> str:
    with _HASHING:
        return HASHER.hash(password)


def fits(kept: str, password: str) -> bool:
    try:
        with _HASHING:
            return HASHER.verify(kept, password[: LONGEST_PASSWORD + 1])
    except (VerificationError, InvalidHashError):
        return False


@functools.cache
def hash_of_nobody() -> str:
    """A hash no password fits, checked for unknown names so that they take as long as known ones."""
    return hashed(secrets.token_hex())


def is_outdated(kept: str) -> bool:
    """Whether a hash was made with weaker settings than today's."""
    return HASHER.check_needs_rehash(kept)
