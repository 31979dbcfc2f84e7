"""Requests that nobody would send, by the thousand, made from the service's own OpenAPI document.

    python -m venv build/fuzz && build/fuzz/bin/pip install schemathesis openapi-spec-validator
    python -m scripts.fuzz_service --tools build/fuzz/bin --examples 500

[schemathesis](https://schemathesis.readthedocs.io) makes them, sound and unsound ones; it compares
every answer with the document: status, type, schema, headers, methods, and that nothing is told
without a token. The script adds what only it can see: no answer 500, memory that stays bounded, and
a store that is whole afterwards. `tests/service/test_hostile.py` has a smaller run of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from thresher.service.live_models import Limits
from thresher.service.serving import ServeRequest, serve
from thresher.service.tokens import new_token

CHECKS = (
    "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
    "ignored_auth", "missing_required_header",
)  # fmt: skip
#: What an answer above 500 may be: not now, and no room.
ALLOWED = {503, 507}
MOST_GROWTH = 200 << 20


def main() -> int:
    """Serve, send, and say what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", default="", help="the folder with st and openapi-spec-validator")
    parser.add_argument("--examples", type=int, default=500, help="of each operation")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        return _serve(*asked.serve)
    with TemporaryDirectory(prefix="thresher-fuzz-") as folder:
        return _fuzzed(Path(folder), asked.tools, asked.examples)


def _serve(store: str, tokens: str) -> int:
    """The service that is attacked: as ever, but that nobody waits long for a number."""
    limits = Limits(reach_seconds=0.02, body_seconds=5.0)
    request = ServeRequest(store=store, port=0, tokens=tokens, limits=limits)
    serve(
        request,
        lambda event: print(json.dumps(event), file=sys.stderr, flush=True),
        lambda address: print(address, flush=True),
    )
    return 0


def _fuzzed(folder: Path, tools: str, examples: int) -> int:
    token, line = new_token("admin", "fuzz")
    (folder / "tokens").write_text(line + "\n")
    words = [sys.executable, "-m", "scripts.fuzz_service", "--serve", str(folder / "s")]
    log = open(folder / "log", "w+", encoding="utf-8")  # noqa: SIM115
    with (
        log,
        subprocess.Popen(
            [*words, str(folder / "tokens")], stdout=subprocess.PIPE, stderr=log, text=True
        ) as service,
    ):
        assert service.stdout is not None
        address = service.stdout.readline().strip()
        try:
            _asked(address, token, "/v1/models/m", b'{"learner": "perceptron", "n_features": 64}')
            document = _asked(address, token, "/openapi.json")
            # Names at random would nearly all be of models that are not there.
            few = re.sub(rb'"pattern":"\^\[A-Za-z0-9\][^"]*"', b'"enum":["m","n","none"]', document)
            assert few != document
            (folder / "openapi.json").write_bytes(few)
            program = str(Path(tools, "openapi-spec-validator"))
            subprocess.run([program, str(folder / "openapi.json")], check=True)
            before, began = _memory(service.pid), time.monotonic()
            done = subprocess.run(
                [
                    str(Path(tools, "st")), "run", str(folder / "openapi.json"), "--url", address,
                    "--header", f"Authorization: Bearer {token}", "--phases", "coverage,fuzzing",
                    "--checks", ",".join(CHECKS), "--max-examples", str(examples),
                    "--exclude-path-regex", "/events$", "--continue-on-failure",
                    "--warnings", "off", "--request-timeout", "40", "--no-color",
                ],
                check=False, cwd=folder,
            )  # fmt: skip
            text = _asked(address, token, "/metrics").decode()
            after = _memory(service.pid)
        finally:
            service.terminate()
    counts = _statuses(text)
    total, odd = sum(counts.values()), {s for s in counts if s >= 500} - ALLOWED
    print(f"{total} requests in {time.monotonic() - began:.0f} seconds: {counts}")
    print(f"memory before {before >> 20} MiB, after {after >> 20} MiB")
    check = [sys.executable, "-m", "thresher", "store", "check", str(folder / "s")]
    checked = subprocess.run(check, check=False, capture_output=True, text=True)
    whole = checked.returncode == 0
    print(f"the store is {'whole' if whole else 'NOT whole'}; faults: {sorted(odd) or 'none'}")
    if not whole:
        print(checked.stdout[-4000:], checked.stderr[-4000:])
    if odd:
        print((folder / "log").read_text()[-4000:])
    sound = done.returncode == 0 and whole and not odd and after - before < MOST_GROWTH
    return 0 if sound else 1


def _asked(address: str, token: str, path: str, body: bytes | None = None) -> bytes:
    heads = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    method = "GET" if body is None else "PUT"
    with urlopen(Request(address + path, body, heads, method=method)) as answer:
        found: bytes = answer.read()
        return found


def _statuses(metrics: str) -> dict[int, int]:
    """How often each status was answered."""
    counts: dict[int, int] = {}
    for status, count in re.findall(r'requests_total\{.*status="(\d+)"\} (\d+)', metrics):
        counts[int(status)] = counts.get(int(status), 0) + int(count)
    return dict(sorted(counts.items()))


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
