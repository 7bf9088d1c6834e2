"""What the server holds of photos: the receipt a tablet waits for."""

from flask import g
from marshmallow import fields, validate

from inspect_app.api.access import bearer
from inspect_app.api.documents import Blueprint, Fits, Strict, also
from inspect_app.services import receipts, sync

bp = Blueprint("api_photos", "photos", description="Receipts of photos")
MOST_IDS = 200
IDS = "[0-9A-Za-z-]{1,36}(,[0-9A-Za-z-]{1,36}){0,199}"


class Ids(Strict):
    ids = fields.String(
        required=True,
        validate=Fits(IDS, f"At most {MOST_IDS} ids, with commas between them."),
        metadata={"pattern": f"^{IDS}$"},
    )


class PhotoState(Strict):
    photo_id = fields.String(required=True)
    state = fields.String(
        required=True, validate=validate.OneOf(("missing", "partial", "stored", "durable", "bad"))
    )
    sha256 = fields.String()


class PhotoStates(Strict):
    epoch = fields.String(required=True)
    photos = fields.List(fields.Nested(PhotoState), required=True)


@bp.get("/photos/status")
@bearer("upload")
@bp.arguments(Ids, location="query")
@bp.response(200, PhotoStates)
@bp.doc(**also(401, 403, 422))
def status(asked):
    """missing, partial, stored, durable (the tablet may free the original) or bad (send it again)."""
    device = g.holder.device
    village, device_id = device.village, device.id
    found = receipts.status(village, asked["ids"].split(","), device_id, g.now)
    return {"epoch": sync.current_epoch(), "photos": found}
