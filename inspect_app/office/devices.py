"""The tablets of a village: codes to enrol one, when each was last heard of, taking one out of use."""

from datetime import UTC, datetime, timedelta

import segno
from flask import Response, flash, g, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from inspect_app.domain.errors import IllegalTransition, NotFound, Refused
from inspect_app.office.access import roles_required, village_blueprint
from inspect_app.office.forms import CodeForm, ConfirmForm
from inspect_app.services import devices, staging
from inspect_app.store import inspections, sync
from inspect_app.store import people as store

bp = village_blueprint("devices", __name__)
SILENT_AFTER = timedelta(days=3)


@bp.get("/tablets")
@roles_required("reviewer", "administrator")
def index():
    """Every tablet with its last check-in and what it still holds; codes that wait to be used."""
    return _index(_code_form(), 200)


@bp.post("/tablets/codes")
@roles_required("administrator")
def make_code():
    """Make a one-time code and show it, as text to type and as a picture to scan; it is shown this once."""
    form, now = _code_form(), datetime.now(UTC)
    if not form.validate():
        return _index(form, 422)
    try:
        code = devices.make_code(g.village.slug, form.person_id.data, g.person, now)
    except Refused as refusal:
        return _index(form, 422, form.take(refusal))
    address = f"{request.host_url}field/#enrol={code}"
    page = make_response(
        render_template(
            "device_code.html",
            code=f"{code[:5]}-{code[5:]}",
            picture=_picture(address),
            site=f"{request.host_url}field/",
            someone=store.person(form.person_id.data),
            until=now + devices.CODE_LIFE,
        ),
        201,
    )
    page.headers["Cache-Control"] = "no-store"
    return page


@bp.get("/tablets/photos/<upload_id>")
@roles_required("reviewer", "administrator")
def held_photo(upload_id):
    """A photo that waits for a decision, as it was sent, to keep: never shown in the page."""
    answer = Response(staging.content(g.village.slug, upload_id), mimetype="application/octet-stream")
    answer.headers["Content-Disposition"] = f"attachment; filename=photo-{upload_id[:12]}.bin"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


@bp.post("/tablets/photos/<upload_id>")
@roles_required("reviewer", "administrator")
def decide_photo(upload_id):
    """Release a photo of a tablet out of use, or keep it aside, with the reason."""
    decision, reason = request.form.get("decision", ""), request.form.get("reason", "")
    try:
        staging.decide(g.village.slug, upload_id, decision, reason, g.person, datetime.now(UTC))
    except Refused:
        flash("Nothing was decided. Say why, in words that somebody understands in a year.", "warning")
    except IllegalTransition as refusal:
        flash(str(refusal), "warning")
    else:
        ending = "is released and stored" if decision == "release" else "stays aside"
        flash(f"The photo {ending}. The decision is in the log.", "pass")
    return redirect(url_for(".index"))


@bp.route("/tablets/<device_id>/revoke", methods=["GET", "POST"])
@roles_required("administrator")
def revoke(device_id):
    """Ask, then take a tablet out of use for good."""
    device = store.device(device_id)
    if device is None or device.village != g.village.slug or device.is_server:
        raise NotFound("There is no such tablet in this village. Look in the list of tablets.")
    if request.method == "POST":
        devices.revoke(g.village.slug, device_id, g.person, datetime.now(UTC))
        flash(f"{device.name} is out of use. What it still sends is set aside for the office.", "pass")
        return redirect(url_for(".index"))
    return render_template("device_revoke.html", device=device, confirm=ConfirmForm())


def _index(form, status, message=None):
    now, slug = datetime.now(UTC), g.village.slug
    tablets = store.devices_of(slug)
    return render_template(
        "devices.html",
        devices=tablets,
        codes=store.open_codes(slug, now),
        arrived={
            device.id: sync.arrived_since(device.id, device.lost_at) for device in tablets if device.lost_at
        },
        held=[
            {**row, "record": inspections.inspection_in(slug, row["record_id"]) if row["record_id"] else None}
            for row in staging.waiting(slug)
        ],
        form=form,
        message=message,
        silent_since=now - SILENT_AFTER,
    ), status


def _code_form():
    form = CodeForm()
    inspectors = store.people_of(g.village.slug, "inspector", only_active=True)
    form.person_id.choices = {
        "": "Choose an inspector",
        **{person.id: person.name for person in inspectors},
    }
    return form


def _picture(address):
    """The address as a QR code: black on white in every display, for a camera has to read it."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr", title=None))  # noqa: S704
