"""Files in Google Cloud Storage, Azure and HDFS against emulators on loopback give the same bits.

    python -m venv build/remote
    build/remote/bin/pip install ".[dask]" gcsfs adlfs requests gcp-storage-emulator
    npm install --prefix build/remote azurite
    build/remote/bin/python -m scripts.remote_evidence --azurite build/remote/node_modules/.bin

From each of them a model is trained (by a pattern, from a plain and a packed file), tested,
certified, verified, and trained on a cluster of two workers. Models, digests, certificates and what
the commands say are held against those of the same files here. Then connections are cut in the
middle of an answer, and the model must still be the same. A file that is not there must be told.

``gs://`` is read by gcsfs from gcp-storage-emulator, ``az://`` by adlfs from Azurite, and
``webhdfs://`` by fsspec from the server in `scripts.webhdfs`, which was written for this.
``hdfs://`` speaks another language, through pyarrow and the libraries of Hadoop, and is not tried.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from gzip import compress
from pathlib import Path
from typing import Any

from scripts.cut_connections import Cutting
from scripts.webhdfs import webhdfs
from thresher.models.file import load_model, model_bytes

Put = Callable[[str, bytes], None]
CUTS = 3


def lines(n: int, seed: int) -> bytes:
    """Rows of svmlight with a linear target, and one label in twenty wrong."""
    drawn = random.Random(seed)
    target = [random.Random(k).gauss(0, 1) for k in range(1 << 12)]
    rows = []
    for _ in range(n):
        on = sorted(drawn.sample(range(1 << 12), 20))
        label = (sum(target[k] for k in on) > 0) != (drawn.random() < 0.05)
        rows.append(f"{int(label)} " + " ".join(f"{k}:1" for k in on))
    return ("\n".join(rows) + "\n").encode()


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until somebody listens on a port, half a minute at most."""
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nobody listens on port {port}: {process.args!r}")


@contextmanager
def running(words: list[str], port: int, **more: str) -> Iterator[None]:
    """A server in a process of its own, while the block lasts."""
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(words, env=os.environ | more, **quiet)
    try:
        wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def google(folder: Path, azurite: str) -> Iterator[tuple[str, Put, Cutting]]:
    """``gs://``, by gcp-storage-emulator."""
    del azurite
    import requests  # noqa: PLC0415

    port = free_port()
    start = [sys.executable, "-m", "gcp_storage_emulator", "start", "--in-memory"]
    words = [*start, "--host=127.0.0.1", f"--port={port}", "--default-bucket=data"]
    with running(words, port), Cutting(port) as between:
        os.environ["STORAGE_EMULATOR_HOST"] = f"http://127.0.0.1:{between.port}"
        os.environ["FSSPEC_GS_TOKEN"] = "anon"
        # What gcsfs asks for folders is another language (gRPC), which the emulator does not speak.
        os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"

        def put(name: str, content: bytes) -> None:
            place = f"http://127.0.0.1:{port}/upload/storage/v1/b/data/o"
            asked = {"uploadType": "media", "name": f"days/{name}"}
            requests.post(place, params=asked, data=content, timeout=60).raise_for_status()

        yield "gs://data/days", put, between


@contextmanager
def azure(folder: Path, azurite: str) -> Iterator[tuple[str, Put, Cutting]]:
    """``az://``, by Azurite."""
    from azure.storage.blob import (  # type: ignore[import-not-found]  # noqa: PLC0415
        BlobServiceClient,
    )

    port, key = free_port(), "bm9ib2R5J3Mga2V5"
    words = [os.path.join(azurite, "azurite-blob"), "--blobHost", "127.0.0.1"]
    words += ["--blobPort", str(port), "--location", str(folder), "--silent"]
    words += ["--skipApiVersionCheck", "--disableTelemetry"]
    with running(words, port, AZURITE_ACCOUNTS=f"reader:{key}"), Cutting(port) as between:

        def connection(port: int) -> str:
            place = f"BlobEndpoint=http://127.0.0.1:{port}/reader"
            return f"DefaultEndpointsProtocol=http;AccountName=reader;AccountKey={key};{place};"

        os.environ["AZURE_STORAGE_CONNECTION_STRING"] = connection(between.port)
        container = BlobServiceClient.from_connection_string(connection(port)).create_container(
            "data"
        )
        yield "az://data/days", lambda n, c: container.upload_blob(f"days/{n}", c), between


@contextmanager
def hadoop(folder: Path, azurite: str) -> Iterator[tuple[str, Put, Cutting]]:
    """``webhdfs://``, by a server of this repository."""
    del folder, azurite
    with webhdfs() as (port, files), Cutting(port) as between:

        def put(name: str, content: bytes) -> None:
            files[f"/days/{name}"] = content

        yield f"webhdfs://127.0.0.1:{between.port}/days", put, between


SERVICES = {"gs": google, "az": azure, "webhdfs": hadoop}


def said(*words: object, status: int = 0) -> str:
    """What a command says; it must end with this status, and within five minutes."""
    command = [sys.executable, "-m", "thresher", *map(str, words)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if found.returncode != status:
        raise SystemExit(f"{' '.join(command)}: {found.returncode}\n{found.stderr}")
    return found.stdout if status == 0 else found.stderr


def told(place: str, folder: Path) -> dict[str, Any]:
    """All that is to be the same wherever the files lie."""
    model, shards, proof = (folder / name for name in ("m.thr", "s.thr", "c.json"))
    files, how = f"{place}/part-*", ("--learner", "perceptron", "--bits", 12, "-q")
    said("train", files, "-o", model, *how)
    said("train", files, "-o", shards, *how, "--cluster", "local:2", "--shards", 4)
    said("certify", model, files, "-o", proof, "-q")
    return {
        "model": bits(model),
        "digests": digests(model),
        "model of shards": bits(shards),
        "digests of shards": digests(shards),
        "test": said("test", model, files, "--json"),
        "predictions": said("predict", model, f"{place}/part-1.svm.gz"),
        "certificate": proof.read_bytes(),
        "verdict": said("verify", proof, files, "--model", model),
    }


def bits(path: Path) -> bytes:
    """A model without the names of what it has read."""
    return model_bytes(replace(load_model(path), history=()))


def digests(path: Path) -> list[str | None]:
    """The digest of each file, or part of one, that a model has learned from."""
    return [source.digest for one in load_model(path).history for source in one.sources]


def tried(name: str, expected: dict[str, Any], data: dict[str, bytes], azurite: str) -> bool:
    """Hold one service against the files of this machine; whether all is the same."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with SERVICES[name](folder, azurite) as (place, put, between):
            for file, content in data.items():
                put(file, content)
            found = told(place, folder)
            differs = [key for key in expected if found[key] != expected[key]]
            between.cut_next(CUTS)
            model, how = folder / "cut.thr", ("--learner", "perceptron", "--bits", 12, "-q")
            said("train", f"{place}/part-*", "-o", model, *how)
            if bits(model) != expected["model"] or digests(model) != expected["digests"]:
                differs.append("model with connections cut")
            began = time.monotonic()
            missing = said("train", f"{place}/none.svm", "-o", model, "-q", status=2)
            seconds = time.monotonic() - began
            if "there is no such file" not in missing:
                differs.append(f"what is said of a file that is not there: {missing.strip()}")
    print(
        f"{name}://  {'the same' if not differs else f'differs: {differs}'}; "
        f"{between.cut} connections cut; a missing file is told in {seconds:.1f} s"
    )
    return not differs and between.cut == CUTS


def main() -> None:
    """Try the services that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--azurite", default="node_modules/.bin", help="The folder of azurite-blob."
    )
    parser.add_argument("--only", choices=sorted(SERVICES), action="append")
    given = parser.parse_args()
    data = {"part-0.svm": lines(40_000, 0), "part-1.svm.gz": compress(lines(3000, 1), mtime=0)}
    with tempfile.TemporaryDirectory() as made:
        here = Path(made) / "days"
        here.mkdir()
        for name, content in data.items():
            (here / name).write_bytes(content)
        expected = told(str(here), Path(made))
    results = [
        tried(name, expected, data, os.path.abspath(given.azurite))
        for name in given.only or SERVICES
    ]
    raise SystemExit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
