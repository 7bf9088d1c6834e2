"""`make bench`: every measurement, one after the other. Exits 1 when a budget is missed."""

import sys

from bench import (
    cold_start,
    custody_form,
    day,
    evidence,
    form_speed,
    laboratory,
    photos,
    rules_form,
    rules_keystroke,
    server_memory,
    shell_size,
    sync_server,
)
from bench.report import tell


def main() -> int:
    kept = True
    measurements = (
        shell_size,
        rules_form,
        rules_keystroke,
        cold_start,
        form_speed,
        photos,
        server_memory,
        sync_server,
        laboratory,
        custody_form,
        evidence,
        day,
    )
    for measurement in measurements:
        kept = tell(measurement.measure()) and kept
    return 0 if kept else 1


sys.exit(main())
