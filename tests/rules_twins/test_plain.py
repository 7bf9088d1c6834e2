"""Office and tablet tell the same limits of every rule of both villages."""

import json
import subprocess
from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest

from inspect_app.domain import plain
from inspect_app.store import villages

PWA = Path(__file__).parents[2] / "inspect_app" / "static" / "pwa"
DAY = "2026-06-18"


@pytest.mark.parametrize("village", ["barneveld", "howards_grove"])
def test_both_languages_tell_the_same_limits(village):
    pack = villages.pack_of(village, date.fromisoformat(DAY))
    asked = ["node", str(Path(__file__).with_name("plain.mjs")), PWA.as_uri(), DAY]
    theirs = json.loads(subprocess.run(asked, input=pack.canonical, capture_output=True, check=True).stdout)
    settings = pack.settings_on(DAY)
    ours = [
        [
            rule["id"],
            [in_json(limit) for limit in plain.limits_of(rule, pack.data["fields"], pack.units, settings)],
        ]
        for rule in pack.rules
    ]
    assert theirs == ours
    assert sum(len(limits) for _, limits in ours) > 20, "a pack without limits proves nothing"


def in_json(limit):
    body = asdict(limit) | {"limits": list(limit.limits), "by": list(limit.by)}
    body["examples"] = [
        {"value": one.value, "outcome": one.outcome, "onLimit": one.on_limit} for one in limit.examples
    ]
    return body
