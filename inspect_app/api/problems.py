"""Errors of the sync services that have a status of their own on the wire (docs/sync.md)."""

from inspect_app.errors import problem
from inspect_app.services import feed, sync, uploads

STATUS = {
    uploads.OffsetDiffers: (409, "Offset differs"),
    uploads.Gone: (410, "Gone"),
    uploads.TooLarge: (413, "Too large"),
    uploads.ChecksumDiffers: (460, "Checksum differs"),
    sync.UnreadableBatch: (400, "Bad request"),
    feed.CursorUnknown: (410, "Gone"),
}


def set_up(app):
    """Register a handler for each."""
    for kind, (status, title) in STATUS.items():
        app.register_error_handler(kind, _answer(status, title))

    @app.errorhandler(sync.EpochDiffers)
    def _epoch(error):
        return problem(409, error.slug, "Conflict", str(error), epoch=sync.current_epoch())


def _answer(status, title):
    def answer(error):
        return problem(
            status, error.slug, title, str(error), **({"errors": error.errors} if error.errors else {})
        )

    return answer
