"""What is printed about a visit's samples: the chain-of-custody form, and labels for the bottles."""

from collections.abc import Callable
from typing import Any

from flask import Response, flash, g, redirect, request, url_for

from inspect_app.domain.errors import Refused
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.dossier import open_dossier
from inspect_app.reports import custody_form, labels
from inspect_app.store.inspections import Inspection

bp = village_blueprint("samples", __name__)


@bp.get("/records/<record_id>/custody.pdf")
@roles_required("inspector", "reviewer", "administrator")
def custody(record_id: str) -> Any:
    """The chain-of-custody form of a record."""
    return _pdf(record_id, "custody", custody_form.custody_pdf)


@bp.get("/records/<record_id>/labels.pdf")
@roles_required("inspector", "reviewer", "administrator")
def bottle_labels(record_id: str) -> Any:
    """Labels of a record's containers: a sheet, or with `as=roll` one a page."""
    roll = request.args.get("as") == "roll"
    return _pdf(record_id, "labels", lambda record: labels.labels_pdf(record, roll))


def _pdf(record_id: str, name: str, make: Callable[[Inspection], bytes]) -> Any:
    record = open_dossier(record_id).record
    try:
        content = make(record)
    except Refused as refusal:
        flash(str(refusal), "warning")
        return redirect(url_for("record.show", record_id=record_id))
    answer = Response(content, mimetype="application/pdf")
    file = f"{g.village.web_name}-{record.number}-{name}.pdf"
    answer.headers["Content-Disposition"] = f"inline; filename={file}"
    return answer
