"""Files on other machines are read as those of this one: same rows, same digests, same models."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import thresher as th
from tests.cli.running import loaded, run
from tests.streams.shelves import Shelf, buckets, shelf
from thresher.addresses import shown
from thresher.cli.train_voice import resume_command
from thresher.errors import MissingPackageError, ModelFileError, SourceError
from thresher.streams.labelled_rows import read
from thresher.streams.sources import remote
from thresher.streams.sources.source import expanded

SIGNATURE = "X-Signature=5eCr3t"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A stream of 3,000 rows in every format."""
    folder = tmp_path_factory.mktemp("formats")
    own = folder / "day.svm"
    asked = ["-n", "3000", "--set", "n_features=40,r=3,active=5", "-o", own]
    assert run("generate", "disjunctions", *asked).exit_code == 0
    for suffix in ("vw", "jsonl", "csv", "parquet", "arrow", "thb"):
        made = run("convert", own, "-o", folder / f"day.{suffix}", "--features", 40)
        assert made.exit_code == 0, made.output
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    found["day.svm.gz"] = gzip.compress(found["day.svm"])
    found["day.svm.zst"] = zstandard.compress(found["day.svm"])
    found["day.tsv"] = b"".join(
        b"%s\tword%d and word%d\n" % (b"spam" if k % 3 else b"ham", k % 3, k % 7)
        for k in range(500)
    )
    return found


@pytest.fixture(scope="module")
def folder(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same files on this machine."""
    made = tmp_path_factory.mktemp("here")
    for name, data in files.items():
        (made / name).write_bytes(data)
    return made


@pytest.fixture(scope="module")
def bucket(files: dict[str, bytes]) -> Iterator[Any]:
    """The files in a bucket; how to reach it stands where Amazon's own tools look."""
    with buckets() as (address, client), pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", address)
        patch.setenv("AWS_ACCESS_KEY_ID", "reader")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "a secret of nobody")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client.create_bucket(Bucket="days")
        for name, data in files.items():
            client.put_object(Bucket="days", Key=name, Body=data)
        for part in (10, 2, 1):
            lines = files["day.svm"].splitlines(keepends=True)[part * 100 : part * 100 + 100]
            client.put_object(Bucket="days", Key=f"parts/{part:02}.svm", Body=b"".join(lines))
        yield client


@pytest.fixture
def web(files: dict[str, bytes]) -> Iterator[Shelf]:
    """The files over HTTP."""
    with shelf(dict(files)) as own:
        yield own


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 1,000 bytes, and no waiting before a question is asked again."""
    monkeypatch.setattr(remote, "BLOCK", 1000)
    monkeypatch.setattr(remote, "PAUSES", (0.0, 0.0, 0.0))


def rows_of(path: object) -> tuple[list[Any], list[Any]]:
    stream = read(str(path))
    batches = list(stream)
    arrays = [(b.column, b.value, b.labels) for b in batches]
    joined = [np.concatenate([one[k] for one in arrays]) for k in range(3)]
    return joined, [(source.n_bytes, source.digest) for source in stream.sources]


def same(one: tuple[list[Any], list[Any]], other: tuple[list[Any], list[Any]]) -> bool:
    return all(map(np.array_equal, one[0], other[0])) and one[1] == other[1]


FORMATS = ["day.svm", "day.vw", "day.jsonl", "day.csv", "day.parquet", "day.arrow", "day.thb",
           "day.svm.gz", "day.svm.zst", "day.tsv"]  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.usefixtures("small_blocks")
def test_a_file_in_a_bucket_has_the_rows_and_the_digest_it_has_here(
    name: str, bucket: Any, folder: Path
) -> None:
    assert same(rows_of(f"s3://days/{name}"), rows_of(folder / name))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.usefixtures("small_blocks")
def test_a_file_on_the_web_has_them_whether_parts_are_handed_out_or_not(
    name: str, ranges: bool, web: Shelf, folder: Path
) -> None:
    web.ranges = ranges
    assert same(rows_of(f"{web.address}/{name}"), rows_of(folder / name))


def test_a_server_that_tells_no_size_is_read_to_its_end(web: Shelf, folder: Path) -> None:
    web.sizes = web.ranges = False
    assert same(rows_of(f"{web.address}/day.svm"), rows_of(folder / "day.svm"))


@pytest.mark.parametrize("short", [1, 7, 3000])
@pytest.mark.usefixtures("small_blocks")
def test_a_server_that_tells_too_small_a_size_is_found_out(
    short: int, web: Shelf, files: dict[str, bytes]
) -> None:
    """The rest would be missing, and nobody would know."""
    web.short, whole = short, len(files["day.svm"])
    with pytest.raises(SourceError, match=r"day\.svm") as refused:
        rows_of(f"{web.address}/day.svm")
    said = f"says that it has {whole - short:,} bytes, and has {whole:,}"
    assert said in str(refused.value)


def test_patterns_name_files_in_order(bucket: Any) -> None:
    names = [f"s3://days/parts/{part}.svm" for part in ("01", "02", "10")]
    assert expanded("s3://days/parts/*.svm") == names
    with pytest.raises(SourceError, match=r"s3://days/none-\*: no file matches"):
        expanded("s3://days/none-*")


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("fault", [500, 503, 0])
def test_what_fails_is_asked_for_again(fault: int, web: Shelf, folder: Path) -> None:
    web.faults = [200, fault, fault, fault][1:]
    assert same(rows_of(f"{web.address}/day.svm"), rows_of(folder / "day.svm"))
    assert not web.faults


@pytest.mark.usefixtures("small_blocks")
def test_what_fails_for_good_is_said_with_the_file_and_the_reason(web: Shelf) -> None:
    path = f"{web.address}/day.svm?{SIGNATURE}"
    stream = read(path)
    web.faults = [500] * 1000
    with pytest.raises(SourceError, match=r"/day\.svm: cannot be read: 500") as caught:
        list(stream)
    assert "5eCr3t" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "words"), [(404, "there is no such file"), (403, "may not be read: 403")]
)
@pytest.mark.usefixtures("small_blocks")
def test_refusals_are_told_apart(status: int, words: str, web: Shelf) -> None:
    web.files.pop("day.svm")
    if status != 404:
        web.faults = [status] * 100
    with pytest.raises(SourceError, match=words):
        read(f"{web.address}/day.svm")


@pytest.mark.usefixtures("small_blocks")
def test_a_file_that_changes_while_it_is_read_is_refused(bucket: Any, folder: Path) -> None:
    data = (folder / "day.svm").read_bytes()
    bucket.put_object(Bucket="days", Key="moving.svm", Body=data)
    file = remote.RemoteFile("s3://days/moving.svm")
    assert file.read(500) == data[:500]
    bucket.put_object(Bucket="days", Key="moving.svm", Body=data[::-1])
    with pytest.raises(SourceError, match=r"s3://days/moving\.svm: was changed while it was read"):
        file.readall()


@pytest.mark.usefixtures("small_blocks")
def test_only_so_many_blocks_are_held(web: Shelf, files: dict[str, bytes]) -> None:
    file = remote.RemoteFile(f"{web.address}/day.svm")
    first = file.read(10)
    held = len(file._blocks) + 1
    assert (first, held) == (files["day.svm"][:10], remote.AHEAD + 1)
    file.close()


def test_a_stretch_of_a_file_is_read_alone(bucket: Any, files: dict[str, bytes]) -> None:
    file = remote.RemoteFile("s3://days/day.svm", 100, 250)
    parts = b"".join(iter(lambda: file.read(64), b""))
    assert (file.size, parts) == (150, files["day.svm"][100:250])


def test_addresses_with_passwords_are_refused_and_not_repeated() -> None:
    for path in (
        "https://me:pass@host/day.svm",
        "s3://key:pass@bucket/day.svm",
        "az://me:pass@account/day.svm",
        "zip://day.svm::https://me:pass@host/days.zip?X-Signature=pass@",
    ):
        with pytest.raises(SourceError, match="an address with a name or a password") as caught:
            read(path)
        assert "pass" not in str(caught.value).replace("password", "")


def test_what_is_behind_another_address_fails_in_words() -> None:
    with pytest.raises(SourceError, match=r"zip://day\.svm::https://127") as caught:
        read("zip://day.svm::https://127.0.0.1:1/days.zip?X-Signature=5eCr3t")
    assert "5eCr3t" not in str(caught.value)


def test_what_signs_an_address_is_in_no_model_message_or_report(web: Shelf, tmp_path: Path) -> None:
    address, model = f"{web.address}/day.svm?{SIGNATURE}", tmp_path / "m.thr"
    report, curves = tmp_path / "r.html", tmp_path / "c.json"
    said = [
        run("train", address, "-o", model, "--report", report),
        run("test", model, address),
        run("inspect", model),
        run("race", address, "-o", curves),
        run("advise", address),
        run("certify", address, "--learner", "perceptron", "-o", tmp_path / "c.cert.json"),
        run("train", f"{web.address}/none.svm?{SIGNATURE}", "-o", model),
    ]
    assert [one.exit_code for one in said] == [0] * 6 + [2]
    assert any(SIGNATURE in path for _, path, _ in web.asked)
    leaky = [path.name for path in tmp_path.iterdir() if b"5eCr3t" in path.read_bytes()]
    leaky += [one.output for one in said if "5eCr3t" in one.output + one.stderr]
    assert leaky == []


def test_commands_say_of_a_bucket_what_they_say_of_files(
    bucket: Any, folder: Path, tmp_path: Path
) -> None:
    there, here = "s3://days/day.svm.gz", folder / "day.svm.gz"
    models = [tmp_path / "there.thr", tmp_path / "here.thr"]
    for path, model in zip((there, here), models, strict=True):
        trained = run("train", path, "-o", model, "--learner", "winnow", "--passes", 2, "--json")
        assert trained.exit_code == 0, trained.output
    one, other = (loaded(model) for model in models)
    assert np.array_equal(one.weights, other.weights)
    for words in (("test",), ("predict",)):
        said = [run(*words, models[0], path).stdout for path in (there, here)]
        assert said[0] == said[1] != ""
    certified = tmp_path / "run.json"
    assert run("certify", there, "--learner", "winnow", "-o", certified).exit_code == 0
    verdicts = [run("verify", certified, path) for path in (there, here)]
    assert [one.exit_code for one in verdicts] == [0, 0]
    assert verdicts[0].stdout == verdicts[1].stdout
    back = tmp_path / "back.svm"
    assert run("convert", there, "-o", back).exit_code == 0
    assert same(rows_of(back), rows_of(back))
    assert run("race", there).stdout.splitlines()[0] == run("race", here).stdout.splitlines()[0]


def test_a_model_of_a_bucket_is_known_again_on_its_data(
    bucket: Any, folder: Path, tmp_path: Path
) -> None:
    model, page = tmp_path / "m.thr", tmp_path / "p.html"
    assert run("train", "s3://days/day.svm", "-o", model).exit_code == 0
    said = run("report", model, "s3://days/day.svm", "-o", page)
    assert said.exit_code == 0, said.output
    again = run("report", model, folder / "day.svm", "-o", tmp_path / "q.html")
    assert again.exit_code == 0


def test_results_are_written_here_and_said_so(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(
        ModelFileError,
        match=r"s3://days/m\.thr: the model could not be written \(results are written to files",
    ):
        th.train(str(folder / "day.svm")).save("s3://days/m.thr")
    said = run("train", folder / "day.svm", "-o", "s3://days/m.thr")
    assert said.exit_code == 2
    assert "s3://days/m.thr: results are written to files of this machine" in said.stderr


def test_a_file_address_is_a_path(folder: Path) -> None:
    assert expanded((folder / "day.svm").as_uri()) == [str(folder / "day.svm")]


def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        MissingPackageError, match=r"gs:// needs the package gcsfs.*thresher\[gcs\]"
    ):
        read("gs://days/day.svm")
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(
        MissingPackageError, match=r"s3:// needs the package fsspec.*thresher\[s3\]"
    ):
        read("s3://days/day.svm")


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(SourceError, match="cannot be read: Protocol not known"):
        read("carrier-pigeon://days/day.svm")


def test_local_files_import_none_of_this(folder: Path) -> None:
    code = (
        "import sys, thresher as th; th.train(sys.argv[1]); "
        "print([m for m in ('fsspec', 'thresher.streams.sources.remote') if m in sys.modules])"
    )
    words = [sys.executable, "-c", code, str(folder / "day.svm")]
    assert subprocess.run(words, capture_output=True, check=True).stdout.strip() == b"[]"


@pytest.mark.parametrize("ranges", [True, False])
def test_a_server_that_tells_no_size_but_0_is_read(ranges: bool, web: Shelf, folder: Path) -> None:
    web.heads, web.ranges = False, ranges
    assert same(rows_of(f"{web.address}/day.svm"), rows_of(folder / "day.svm"))


@pytest.mark.usefixtures("small_blocks")
def test_a_server_that_falls_silent_is_asked_again(
    web: Shelf, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "SILENCE", 0.3)
    web.faults = [-1]
    assert same(rows_of(f"{web.address}/day.svm"), rows_of(folder / "day.svm"))


def test_no_clock_runs_for_a_file_as_a_whole(web: Shelf) -> None:
    system = remote._system(f"{web.address}/day.svm")[0]
    assert system.client_kwargs["timeout"].total is None


def test_credentials_for_the_web_are_those_of_netrc(
    web: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "netrc"
    own.write_text("machine 127.0.0.1 login reader password 5eCr3t\n")
    own.chmod(0o600)
    monkeypatch.setenv("NETRC", str(own))
    rows_of(f"{web.address}/day.svm")
    assert None not in web.credentials


def test_a_protocol_may_be_in_capitals(web: Shelf, folder: Path) -> None:
    there = web.address.replace("http", "HTTP")
    assert same(rows_of(f"{there}/day.svm"), rows_of(folder / "day.svm"))


@pytest.mark.parametrize(
    "address",
    ["https://host/a.svm?5eCr3t", "https://host/a.svm#5eCr3t", "HTTPS://host/a.svm?a=1#5eCr3t",
     "zip://a.svm::https://host/a.zip?5eCr3t", "simplecache::http://host/a.svm?5eCr3t"],
)  # fmt: skip
def test_what_signs_an_address_is_not_shown(address: str) -> None:
    assert "5eCr3t" not in shown(address)
    assert "host/a." in shown(address)


def test_the_command_that_goes_on_shows_no_signature() -> None:
    words = [f"https://host/day.svm?{SIGNATURE}", "-o", "m.thr"]
    assert resume_command(words, "m.thr").startswith("thresher train https://host/day.svm -o")


def test_a_page_of_a_race_has_no_signature(web: Shelf, tmp_path: Path) -> None:
    page = tmp_path / "race.html"
    ran = run("race", f"{web.address}/day.svm?{SIGNATURE}", "-o", page)
    assert ran.exit_code == 0, ran.output
    assert "5eCr3t" not in page.read_text()
    assert "day.svm" in page.read_text()


def test_a_pattern_behind_file_is_one_and_the_name_of_a_machine_is_no_folder(
    folder: Path, tmp_path: Path
) -> None:
    assert expanded(f"file://{folder}/day.sv?") == [str(folder / "day.svm")]
    assert expanded(f"file://localhost{folder}/day.svm") == [str(folder / "day.svm")]
    with pytest.raises(SourceError, match="there is no such file"):
        expanded(f"file://data{folder}/day.svm")


@pytest.mark.parametrize("name", ["odd [1].svm", "what?.svm", "star*.svm"])
def test_a_file_in_a_bucket_may_have_the_name_of_a_pattern(name: str, bucket: Any) -> None:
    bucket.put_object(Bucket="days", Key=f"odd/{name}", Body=b"1 0:1\n0 1:1\n")
    address = f"s3://days/odd/{name}"
    assert expanded(address) == [address]
    assert rows_of(address)[1][0][0] == 12
