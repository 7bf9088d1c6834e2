"""The reference tablet's calls over a real socket, in the shape of Flask's test client."""

import http.client
import json as jsonlib
from types import SimpleNamespace
from urllib.parse import urlencode, urlsplit


class WireClient:
    """Speaks with a server process; a call to one that is dead raises OSError."""

    seconds = 30  # how long it waits for an answer

    def __init__(self, url):
        self.address = urlsplit(url).netloc

    def open(
        self, path, method="GET", *, json=None, data=None, content_type=None, headers=None, query_string=None
    ):
        sent = dict(headers or {})
        body = data
        if json is not None:
            body, content_type = jsonlib.dumps(json).encode(), "application/json"
        if content_type:
            sent["Content-Type"] = content_type
        if query_string:
            path = f"{path}?{urlencode(query_string)}"
        line = http.client.HTTPConnection(self.address, timeout=self.seconds)
        try:
            line.request(method, path, body, sent)
            answer = line.getresponse()
            raw = answer.read()
        except http.client.HTTPException as broken:
            raise OSError("The line broke.") from broken
        finally:
            line.close()
        said = jsonlib.loads(raw) if raw and "json" in answer.headers.get("Content-Type", "") else None
        return SimpleNamespace(
            status_code=answer.status, status=str(answer.status), headers=answer.headers, data=raw, json=said
        )

    def get(self, path, **options):
        return self.open(path, "GET", **options)

    def post(self, path, **options):
        return self.open(path, "POST", **options)

    def patch(self, path, **options):
        return self.open(path, "PATCH", **options)

    def head(self, path, **options):
        return self.open(path, "HEAD", **options)
