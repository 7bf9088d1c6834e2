"""A village's map files for its tablets, whole or in parts: a broken line goes on where it was."""

from flask import g, request, send_file
from werkzeug.exceptions import RequestedRangeNotSatisfiable

from inspect_app.api.access import bearer
from inspect_app.api.documents import Blueprint, also
from inspect_app.services import maps

bp = Blueprint("api_maps", "maps", description="Map files of the village")


@bp.get("/maps/<village>/<layer>")
@bearer("pull")
@bp.doc(
    parameters=[{"in": "header", "name": "Range", "required": False, "schema": {"type": "string"}}],
    responses={
        "200": {"description": "The file.", "content": {"application/octet-stream": {}}},
        "206": {"description": "The part that was asked for.", "content": {"application/octet-stream": {}}},
        **also(401, 403, 404, 416)["responses"],
    },
)
def file(village, layer):
    """A layer as the reference lists it. Any other village's is a 404, as if it did not exist."""
    found = maps.layer(village, layer, g.holder.device.village)
    if request.range and request.range.range_for_length(found.size) is None:
        raise RequestedRangeNotSatisfiable(found.size)  # before the file is opened, or it stays open
    answer = send_file(found.path, mimetype="application/octet-stream", etag=found.sha256, conditional=True)
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
