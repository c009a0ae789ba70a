"""The scripts, style sheets and drawings of the pages, sent packed to whoever takes them so.

Only what is the same for everybody is packed: of a page that repeats what its reader typed beside something secret,
the packed length would tell about the secret (BREACH).
"""

from __future__ import annotations

import gzip
import os
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

TEXTS = (".css", ".js", ".json", ".svg")
"""Pictures in bytes are packed already."""


class Packed(StaticFiles):
    """A folder of files. Each text is packed once, when somebody asks for it first, and then stays in memory."""

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        path = Path(os.fspath(full_path))
        if path.suffix not in TEXTS:
            return response
        response.headers["vary"] = "accept-encoding"
        if not isinstance(response, FileResponse) or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return response
        kept = {name: response.headers[name] for name in ("last-modified", "vary", "content-type")}
        kept |= {"content-encoding": "gzip", "etag": f"W/{response.headers['etag']}"}
        return Response(packed(path, stat_result.st_mtime_ns, stat_result.st_size), status_code, kept)


@lru_cache(maxsize=256)
def packed(path: Path, changed: int, size: int) -> bytes:
    """The file, packed; one that has changed since is another."""
    return gzip.compress(path.read_bytes(), mtime=0)
