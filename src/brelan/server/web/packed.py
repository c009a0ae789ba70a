"""The scripts, style sheets and drawings of the pages, each bound with what it needs (bound.py), and packed.

Only what is the same for everybody is packed: of a page that repeats what its reader typed beside something secret,
the packed length would tell about the secret (BREACH).
"""

from __future__ import annotations

import gzip
import mimetypes
import os
import re
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

GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
"""Among the codings that are taken; one of weight 0 is not."""


class Packed(StaticFiles):
    """A folder of files. Each text is made ready once, when somebody asks for it first, and then stays in memory."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(os.fspath(full_path))
        if path.suffix not in TEXTS:
            return super().file_response(full_path, stat_result, scope, status_code)
        asked = Headers(scope=scope)
        content, tag = ready(path)
        headers = {"etag": tag, "vary": "accept-encoding"}
        is_known = self.is_not_modified(Headers(headers), asked)  # by the tag of either copy
        if GZIP.search(asked.get("accept-encoding", "")):
            content = packed(path)
            headers |= {"etag": f"W/{tag}", "content-encoding": "gzip"}
        if is_known:
            return NotModifiedResponse(Headers(headers))
        return Response(content, status_code, headers, mimetypes.guess_type(path)[0])


@cache
def ready(path: Path) -> tuple[bytes, str]:
    """What is sent of a text, and its tag."""
    content = bound(path).encode()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


@cache
def packed(path: Path) -> bytes:
    """The same, packed."""
    return gzip.compress(ready(path)[0], mtime=0)
