"""Photos by tus 1.0: creation, checksum, expiration, termination."""

from base64 import b64decode
from binascii import Error as BadBase64
from email.utils import format_datetime

from flask import Response, g, request
from flask.views import MethodView
from werkzeug.exceptions import BadRequest, PreconditionFailed, UnsupportedMediaType

from inspect_app.api.access import bearer
from inspect_app.api.documents import PREFIX, Blueprint, also, at_most
from inspect_app.config import BODY_LIMIT_BYTES
from inspect_app.domain.errors import Refused
from inspect_app.services import staging, uploads
from inspect_app.store.base import settings

bp = Blueprint("api_files", "files", description="Photos by tus 1.0")
VERSION = "1.0.0"
EXTENSIONS = "creation,checksum,expiration,termination"
PART = "application/offset+octet-stream"
LARGEST_LENGTH = 2**40


def _header(name, description, required=True, **schema):
    return {
        "in": "header",
        "name": name,
        "required": required,
        "description": description,
        "schema": {"type": "string", **schema},
    }


TUS = _header("Tus-Resumable", "The version of the protocol.", enum=[VERSION])
LENGTH = _header("Upload-Length", "Bytes of the whole photo.", pattern="^[0-9]{1,15}$")
OFFSET = _header("Upload-Offset", "Where the part begins.", pattern="^[0-9]{1,15}$")
METADATA = _header("Upload-Metadata", "photo_id, sha256 and kind (original or preview), each in base64.")
CHECKSUM = _header(
    "Upload-Checksum",
    "sha256 or sha1 of the part, in base64.",
    required=False,
    pattern="^(sha256 [A-Za-z0-9+/]{43}=|sha1 [A-Za-z0-9+/]{27}=)$",
)
HEADERS = {
    "Tus-Resumable": {"schema": {"type": "string"}},
    "Upload-Offset": {"schema": {"type": "string"}},
    "Upload-Expires": {"schema": {"type": "string"}},
}


@bp.route("/files")
class Files(MethodView):
    @bp.response(204, description="What this server speaks.")
    @bp.doc(security=[])
    def options(self):
        """What this server speaks."""
        return _answer(
            204,
            {
                "Tus-Version": VERSION,
                "Tus-Extension": EXTENSIONS,
                "Tus-Max-Size": str(settings().upload_limit_bytes),
                "Tus-Checksum-Algorithm": ",".join(uploads.CHECKSUMS),
            },
        )

    @bearer("upload")
    @bp.response(
        201,
        description="The upload's place; with Upload-Offset when bytes are here already.",
        headers=HEADERS,
    )
    @bp.doc(parameters=[TUS, LENGTH, METADATA], **also(400, 401, 403, 412, 413, 422))
    def post(self):
        """Make an upload, or find it again: the same request always gives the same one."""
        _speaks_tus()
        length = _whole_number("Upload-Length")
        told = _metadata()
        staging.sweep_daily(g.now)
        at = uploads.begin(g.holder_id, told["photo_id"], told["kind"], told["sha256"], length, g.now)
        return _answer(201, {"Location": f"{PREFIX}/files/{at.id}", **_standing(at)})


@bp.route("/files/<string:upload_id>")
class File(MethodView):
    @bearer("upload")
    @bp.response(200, description="Where the upload stands.", headers=HEADERS)
    @bp.doc(parameters=[TUS], **also(401, 403, 404, 410, 412))
    def head(self, upload_id):
        """Where the upload stands; one that has all its bytes is finished here."""
        _speaks_tus()
        at = uploads.standing(g.holder_id, upload_id, g.now)
        return _answer(200, {"Upload-Length": str(at.length), **_standing(at)})

    @bearer("upload")
    @at_most(BODY_LIMIT_BYTES)
    @bp.response(204, description="The part is on disk, and the offset moved.", headers=HEADERS)
    @bp.doc(
        parameters=[TUS, OFFSET, CHECKSUM],
        requestBody={"required": True, "content": {PART: {"schema": {"type": "string", "format": "binary"}}}},
        **also(400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 460),
    )
    def patch(self, upload_id):
        """Send a part."""
        _speaks_tus()
        if request.mimetype != PART:
            raise UnsupportedMediaType
        off, checksum = _whole_number("Upload-Offset"), _checksum()
        body = request.get_data(cache=False)
        if request.content_length is not None and len(body) != request.content_length:
            raise BadRequest  # the line broke in the middle: nothing of it is kept
        at = uploads.append(g.holder_id, upload_id, off, body, checksum, g.now)
        return _answer(204, _standing(at))

    @bearer("upload")
    @bp.response(204, description="The upload is ended.")
    @bp.doc(parameters=[TUS], **also(401, 403, 404, 410, 412))
    def delete(self, upload_id):
        """End an upload. A photo that is stored stays stored."""
        _speaks_tus()
        uploads.end(g.holder_id, upload_id, g.now)
        return _answer(204, {})


def _answer(status, headers):
    return Response(status=status, headers={"Tus-Resumable": VERSION, "Cache-Control": "no-store", **headers})


def _standing(at):
    headers = {"Upload-Offset": str(at.off)}
    if at.state == "open":
        headers["Upload-Expires"] = format_datetime(at.expires_at, usegmt=True)
    return headers


def _speaks_tus():
    if request.headers.get("Tus-Resumable") != VERSION:
        raise PreconditionFailed


def _whole_number(name):
    text = request.headers.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise Refused(f"{name} is not a whole number.", errors={name: ["not a whole number"]}, slug="invalid")
    return int(text)


def _metadata():
    """photo_id, sha256 and kind out of the header; what else it holds is left aside, as tus asks."""
    told = {}
    for pair in request.headers.get("Upload-Metadata", "").split(","):
        name, _, value = pair.strip().partition(" ")
        try:
            told[name] = b64decode(value, validate=True).decode("ascii")
        except (BadBase64, ValueError):
            told[name] = ""
    photo_id, sha256, kind = (told.get(name, "") for name in ("photo_id", "sha256", "kind"))
    errors = {}
    if not (0 < len(photo_id) <= 36 and photo_id.isprintable()):
        errors["photo_id"] = ["absent, or not an id"]
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        errors["sha256"] = ["absent, or not 64 lower-case hex digits"]
    if kind not in uploads.KINDS:
        errors["kind"] = ["neither original nor preview"]
    if errors:
        raise Refused("Upload-Metadata does not say which photo this is.", errors=errors, slug="invalid")
    return {"photo_id": photo_id, "sha256": sha256, "kind": kind}


def _checksum():
    text = request.headers.get("Upload-Checksum")
    if text is None:
        return None
    algorithm, _, value = text.partition(" ")
    try:
        digest = b64decode(value, validate=True)
    except (BadBase64, ValueError):
        digest = b""
    if algorithm not in uploads.CHECKSUMS or not digest:
        raise BadRequest
    return algorithm, digest
