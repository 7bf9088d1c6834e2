"""Paper: blank forms, from which is copied in later by their numbers, and what a record's pages say."""

from datetime import UTC, datetime

from flask import Response, g, render_template

from inspect_app.domain.errors import NotFound
from inspect_app.office.access import village_blueprint
from inspect_app.office.dossier import open_dossier
from inspect_app.services.forms import blank_form

bp = village_blueprint("blank", __name__)


@bp.get("/forms/<kind>/print")
def show(kind: str) -> str:
    """The newest form of a kind as this village asks it, with field numbers, units and boxes."""
    form = blank_form(g.village.slug, kind, datetime.now(UTC).date())
    if form is None:
        raise NotFound("There is no such form. Look under Assignments.")
    return render_template("blank.html", form=form)


@bp.get("/records/<record_id>/print.css")
def page_marks(record_id: str) -> Response:
    """What each printed page of a record says: its number, revision and hash, and which page of how many."""
    dossier = open_dossier(record_id)
    record, digest = dossier.record, dossier.doc["revision_hash"][:16]
    name = "".join(letter for letter in record.number if letter.isalnum() or letter == "-")
    font = "font: 9pt system-ui, sans-serif;"
    marks = (
        f'@bottom-left {{ content: "{name}, revision {record.rev}, {digest}"; {font} }} '
        f'@bottom-right {{ content: "Page " counter(page) " of " counter(pages); {font} }}'
    )
    return Response(f"@page {{ margin: 14mm 13mm 16mm; {marks} }}\n", mimetype="text/css")
