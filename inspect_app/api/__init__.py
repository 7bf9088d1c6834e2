"""For tablets and programs: JSON under /api/v1. Reads through the store, writes only through the services.

| file | endpoints |
| --- | --- |
| devices.py | POST /devices, POST /auth/device, POST /auth/person, GET /time |
| ops.py | POST /ops, /ops/carried, /ops/raw, /ops/have |
| changes.py | GET /changes, /snapshot |
| reference.py | GET /reference |
| files.py | tus 1.0: OPTIONS, POST /files; HEAD, PATCH, DELETE /files/<id> |
| photos.py | GET /photos/status |
| maps.py | GET /maps/<village>/<layer>, with ranges |
| documents.py | the OpenAPI document, and what all endpoints share |
| access.py | bearer tokens |
| problems.py | errors of services that have a status of their own |
"""

from inspect_app.api import changes, devices, files, maps, ops, photos, problems, reference
from inspect_app.api.documents import PREFIX, Document

BLUEPRINTS = (devices.bp, ops.bp, changes.bp, reference.bp, files.bp, photos.bp, maps.bp)


def set_up(app):
    """Register the API and its OpenAPI document."""
    document = Document(app)
    for blueprint in BLUEPRINTS:
        document.register_blueprint(blueprint, url_prefix=PREFIX)
    problems.set_up(app)


def blueprints():
    """The API's blueprints, which carry no cookie and so need no CSRF token."""
    return BLUEPRINTS
