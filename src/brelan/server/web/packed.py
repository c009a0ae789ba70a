"""The scripts, style sheets and drawings of the pages, each bound with what it needs (bound.py), and packed.

Only what is the same for everybody is packed: of a page that repeats what its reader typed beside something secret,
the packed length would tell about the secret (BREACH).
"""

from __future__ import annotations

import gzip
import mimetypes
import os
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from brelan.server.web.bound import bound

TEXTS = (".css", ".js", ".svg")
"""Pictures in bytes are packed already."""


class Packed(StaticFiles):
    """A folder of files. Each text is made ready once, when somebody asks for it first, and then stays in memory."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(os.fspath(full_path))
        if path.suffix not in TEXTS:
            return super().file_response(full_path, stat_result, scope, status_code)
        asked = Headers(scope=scope)
        plain, tag = ready(path)
        response = Response(plain, status_code, {"etag": tag, "vary": "accept-encoding"}, mimetypes.guess_type(path)[0])
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        if "gzip" not in asked.get("accept-encoding", ""):
            return response
        headers = {"etag": f"W/{tag}", "vary": "accept-encoding", "content-encoding": "gzip"}
        return Response(packed(path), status_code, headers, response.media_type)


@cache
def ready(path: Path) -> tuple[bytes, str]:
    """What is sent of a text, and its tag."""
    content = bound(path).encode()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


@cache
def packed(path: Path) -> bytes:
    """The same, packed."""
    return gzip.compress(ready(path)[0], mtime=0)
