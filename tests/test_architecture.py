"""The layers of the product, read off every import: any arrow that is not drawn here fails."""

import sys
from pathlib import Path

import pytest

from tests.support.imports import (
    javascript_imports,
    javascript_layer,
    layer_of,
    python_imports,
    python_modules,
    resolve,
)

ROOT = Path(__file__).resolve().parents[1]
PWA = ROOT / "inspect_app" / "static" / "pwa"

# The domain knows nothing of ours outside itself. The store turns rows into domain objects. Services write.
# The edges read through the store and write through the services, and do not know each other.
ARROWS = {
    "domain": {"domain"},
    "store": {"store", "domain"},
    "services": {"services", "store", "domain"},
    "reports": {"reports", "services", "store", "domain"},
    "api": {"api", "services", "store", "domain", "errors", "config"},
    "office": {"office", "reports", "services", "store", "domain", "errors", "config"},
    "field": {"services", "store", "domain", "errors", "config", "lean", "preload"},
    "cli": {"cli", "services", "store", "domain", "config", "reports", "__init__"},
    "health": {"store"},
    "errors": {"domain"},
    "config": set(),
    "compression": set(),
    "lean": set(),
    "preload": set(),
    "logging": set(),
    "__init__": {"api", "office", "field", "health", "errors", "config", "logging", "compression", "store"},
    "__main__": {"cli"},
}
# Below the edge nothing knows HTTP.
NO_HTTP = {"domain", "services"}
HTTP = {"flask", "werkzeug", "flask_login", "flask_wtf", "flask_smorest", "marshmallow", "wtforms"}

# On the tablet: rules stand alone, sync is handed its store, screens draw, app.js wires all.
TABLET_ARROWS = {
    "rules": {"rules"},
    "store": {"store", "rules", "vendor"},
    "sync": {"sync"},
    "camera": {"camera"},
    "place": {"place"},
    "words.js": set(),
    "fields": {"fields", "rules", "words.js", "vendor"},
    "drawings": {"drawings", "fields", "rules", "words.js", "vendor"},
    "screens": {
        "screens",
        "fields",
        "store",
        "rules",
        "camera",
        "drawings",
        "place",
        "words.js",
        "vendor",
    },
    "sw.js": set(),
}
WIRING = {"app.js"}


def wrong_arrows(module: str, source: str, is_package: bool = False) -> list[str]:
    """What this module imports and may not, one sentence each."""
    layer = layer_of(module)
    if layer not in ARROWS:
        return [f"{module} stands in no layer of design section 2: give {layer} its arrows."]
    wrong = []
    for name in sorted(python_imports(source, module, is_package)):
        to = layer_of(name)
        first = name.split(".")[0]
        if to is not None and to not in ARROWS[layer] and not (to == layer == "__init__"):
            wrong.append(f"{module} ({layer}) imports {name}: {layer} must not know {to}.")
        elif to is None and layer == "domain" and first not in sys.stdlib_module_names:
            wrong.append(f"{module} imports {name}: the domain uses the standard library only.")
        elif to is None and layer in NO_HTTP and first in HTTP:
            wrong.append(f"{module} imports {name}: nothing below the edge knows HTTP.")
    return wrong


def wrong_tablet_arrows(path: str, source: str) -> list[str]:
    """What this tablet module imports and may not, one sentence each."""
    layer = javascript_layer(path)
    if layer in WIRING:
        return []
    if layer not in TABLET_ARROWS:
        return [f"{path} stands in no layer of the tablet: give {layer} its arrows."]
    wrong = []
    for name in sorted(javascript_imports(source)):
        to = javascript_layer(resolve(path, name)) if name.startswith((".", "/")) else f"the package {name}"
        if to not in TABLET_ARROWS[layer]:
            wrong.append(f"{path} imports {name}: {layer} must not know {to}.")
    return wrong


def test_every_python_import_follows_the_layers():
    wrong = []
    for module, path, is_package in python_modules(ROOT):
        wrong += wrong_arrows(module, path.read_text(), is_package)
    assert not wrong, "\n".join(wrong)


def test_every_tablet_import_follows_the_layers():
    wrong = []
    for path in sorted(PWA.rglob("*.js")):
        wrong += wrong_tablet_arrows(path.relative_to(PWA).as_posix(), path.read_text())
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("inspect_app.domain.rules", "import yaml"),
        ("inspect_app.domain.rules", "from inspect_app.store import base"),
        ("inspect_app.domain.rules", "def late():\n    from ..store.base import db"),
        ("inspect_app.store.people", "from inspect_app.services import people"),
        ("inspect_app.store.people", "from inspect_app.services.people import may"),
        ("inspect_app.store.people", "import inspect_app.office.people"),
        ("inspect_app.services.sync", "from flask import request"),
        ("inspect_app.services.sync", "from inspect_app import api"),
        ("inspect_app.services.sync", "from inspect_app.api import schemas"),
        ("inspect_app.api.sync", "from inspect_app.office.forms import ReturnForm"),
        ("inspect_app.office.queue", "from inspect_app import api"),
        ("inspect_app.office.queue", "from ..api.sync import push"),
        ("inspect_app.errors", "from inspect_app.services import people"),
        ("inspect_app.config", "from inspect_app.domain import errors"),
        ("inspect_app.helpers.things", "import json"),
    ],
)
def test_a_planted_bad_import_is_caught(module, source):
    assert len(wrong_arrows(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("inspect_app.domain.rules", "from fractions import Fraction\nfrom inspect_app.domain import packs"),
        ("inspect_app.store.villages", "import yaml\nfrom inspect_app.domain.packs import publish"),
        ("inspect_app.services.sync", "from inspect_app.store.base import transaction"),
        ("inspect_app.api.sync", "from inspect_app.services import sync\nfrom . import schemas"),
        ("inspect_app.cli", "from inspect_app import create_app"),
    ],
)
def test_an_arrow_of_the_design_is_allowed(module, source):
    assert wrong_arrows(module, source) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("rules/rules.js", 'import { openStore } from "../store/database.js";'),
        ("rules/rules.js", "import { html } from '../../vendor/lit-html/lit-html.js';"),
        ("sync/engine.js", 'import {\n  journal\n} from "../store/journal.js";'),
        ("sync/engine.js", 'export { draw } from "../screens/frame.js";'),
        ("sync/engine.js", 'const late = await import("/static/pwa/store/journal.js");'),
        ("screens/outbox.js", 'import { makeEngine } from "../sync/engine.js";'),
        ("store/status.js", 'import "../screens/frame.js";'),
        ("screens/outbox.js", 'import { html } from "lit-html";'),
        ("things/other.js", "export const a = 1;"),
    ],
)
def test_a_planted_bad_import_on_the_tablet_is_caught(path, source):
    assert len(wrong_tablet_arrows(path, source)) == 1


def test_an_import_in_a_comment_is_no_import():
    assert (
        wrong_tablet_arrows("rules/rules.js", '// import x from "../store/a.js"\n/* from "../sync/b.js" */')
        == []
    )
