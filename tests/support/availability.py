"""What a test needs from the machine: without it a skip with its reason, or a failure where all must run."""

import os
from typing import NoReturn

import pytest


def must_run_all() -> bool:
    """Whether a missing browser or database is a failure: on CI, or when INSPECT_APP_TEST_ALL=1."""
    return os.environ.get("CI", "").lower() == "true" or os.environ.get("INSPECT_APP_TEST_ALL") == "1"


def unavailable(reason: str) -> NoReturn:
    """Stop this test: a skip with the reason printed, or a failure where nothing may be skipped."""
    if must_run_all():
        pytest.fail(f"{reason} Here every test must run.", pytrace=False)
    pytest.skip(reason)
