"""The evidence package of a record, to save: what inspect-app export evidence writes."""

from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import Any

from flask import g, send_file

from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.dossier import open_dossier
from inspect_app.reports import evidence

bp = village_blueprint("evidence", __name__)


@bp.get("/records/<record_id>/evidence")
@roles_required("reviewer", "administrator")
def package(record_id: str) -> Any:
    """The package as a file; made in a file of its own first, since it may be larger than the memory."""
    record = open_dossier(record_id).record
    out = TemporaryFile()  # noqa: SIM115 (the answer closes it, once it is sent)
    try:
        evidence.write(record, out, datetime.now(UTC))
    except Exception:
        out.close()
        raise
    out.seek(0)
    name = f"{g.village.web_name}-{record.number}-evidence.zip"
    return send_file(out, mimetype="application/zip", as_attachment=True, download_name=name)
