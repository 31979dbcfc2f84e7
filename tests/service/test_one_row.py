"""A row alone, rows in a list and lines of a log are the same rows: to the bit, and in words."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.service.conftest import service_on
from thresher.errors import ThresherError
from thresher.learners.registry import RECORDS
from thresher.models.file import model_digest
from thresher.service import changes
from thresher.service.examples import Examples, lines_of_rows
from thresher.service.learning import learn
from thresher.service.live_models import LiveModels
from thresher.service.messages import Example, examples_in, line_to_learn, line_to_predict
from thresher.service.pupil import Pupil
from thresher.service.settings import Settings, created
from thresher.service.store import Store

#: Every learner that a service takes, and what can be asked of some of them.
ASKED: list[Settings] = [
    Settings(record.name, {"eta": 0.1} if "ed_winnow" in record.name and record.several else {}, 64)
    for record in RECORDS
    if record.needs is None
] + [
    Settings("perceptron", n_features=64, multiclass=True),
    Settings("committee", n_features=64, multiclass=True),
    Settings("perceptron", n_features=64, calibrate="isotonic"),
    Settings("perceptron", n_features=64, calibrate="platt", multiclass=True),
    Settings("perceptron", n_features=64, pairs=["all"]),
    Settings("arow", n_features=64, pairs=["a,b"]),
    Settings("perceptron", n_features=64, positive="spam", negative="ham"),
    Settings("perceptron", n_features=64, parameters={"average": True}),
    Settings("arow", n_features=64, parameters={"bias": True}),
]

NAME = st.sampled_from(
    ["a", "b", "w", "12", "63", "64", "-1", "é", 'q"\\', "", "a=b", "a.b", "label"]
)
NUMBER = st.sampled_from([0, 1, 1, 1, 2, -1, 0.5, 1e-320, 1e15, 2**53 + 1, 10**30, -0.0])
LEAF = NUMBER | st.sampled_from(["red", "", "1", "é\u2028"]) | st.booleans() | st.none()
VALUE = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=3),
    max_leaves=5,
)
FEATURES = st.dictionaries(NAME, VALUE, max_size=6) | st.lists(NAME, max_size=4)
LABEL = st.sampled_from([1, -1, 0, "1", "-1", "spam", "ham", "law", True, False, 1.0, 1.5, 10**25])
ROW = st.fixed_dictionaries(
    {"features": FEATURES, "label": LABEL},
    optional={"importance": st.sampled_from([0, 1, 1.0, 0.5, 3, 1e9])},
)


def body(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def quickly(pupil: Pupil, text: bytes) -> Examples:
    """Rows as a request has them."""
    return pupil.reader.read("json", text, 1)


def slowly(pupil: Pupil, text: bytes) -> Examples:
    """Rows by way of those who read files, as they were always read."""
    reader = pupil.reader
    found = reader._scanned(reader.format_of("json"), "json", text)
    pupil.reader._check_values(found)
    return found


def described(error: ThresherError) -> tuple[str, str]:
    return type(error).__name__, str(error)


@settings(max_examples=60)
@given(st.sampled_from(ASKED), st.lists(ROW, min_size=1, max_size=8))
def test_a_row_is_what_the_readers_of_files_make_of_it(
    asked: Settings, rows: list[dict[str, Any]]
) -> None:
    pupil = Pupil(created(asked))
    for row in rows:
        (example,), alone = examples_in(body(row), lines=False)
        assert alone
        found: list[Any] = []
        for text in (line_to_predict(example), line_to_learn(example)):
            for read in (quickly, slowly):
                try:
                    one = read(pupil, text)
                except ThresherError as error:
                    found.append(described(error))
                    continue
                assert one.size == 1
                rows_ = one.rows
                facts = (rows_.n_features, rows_.integral, rows_.lowest, rows_.highest)
                weight = None if one.importance is None else one.importance.tobytes()
                found.append((
                    rows_.digest(), facts, one.label_names, one.label.tolist(), weight, one.lines(),
                    pupil.predict(one),
                ))  # fmt: skip
        assert found[0] == found[1]
        assert found[2] == found[3]
        pupil.taught("json", [line_to_learn(example)])


@settings(max_examples=60)
@given(st.sampled_from(ASKED), st.lists(ROW, min_size=1, max_size=12))
def test_rows_one_by_one_teach_and_answer_what_they_do_together(
    asked: Settings, rows: list[dict[str, Any]]
) -> None:
    alone, together = Pupil(created(asked)), Pupil(created(asked))
    lines = []
    for row in rows:
        try:
            line = line_to_learn(examples_in(body(row), lines=False)[0][0])
            alone.lesson("json", line, 1)
        except ThresherError:
            # Refused before it is kept; a later one may name a class that this one would have.
            continue
        lines.append(line)
        alone.taught("json", [line])
    first = Pupil(created(asked))
    one_by_one = [first.taught("json", [line])[0][0] for line in lines]
    assert together.taught("json", lines)[0] == one_by_one
    assert model_digest(together.model) == model_digest(first.model)
    probe = Example(examples_in(b'{"features":{"a":1,"b":1}}', lines=False)[0][0].features)
    text = line_to_predict(probe)
    both = [one.predict(one.reader.read("json", text, 1)) for one in (first, together)]
    twice = together.predict(together.reader.read("json", text + text, 2))
    assert both[0] == both[1]
    if asked.learner != "randomized_weighted_majority":
        # Which throws a coin for each row.
        assert twice.scores == 2 * both[0].scores
        assert twice.labels == 2 * both[0].labels


@pytest.mark.parametrize(
    "features",
    ['{"a":NaN}', '{"a":1e400}', '{"a":1,"a":2}', '{"a":Infinity}', '{"a":1' + "0" * 400 + "}",
     "[" * 200 + "]" * 200, '{"a":' * 200 + "1" + "}" * 200, '["a","a"]', "{}", "[]",
     '{"a":"\\ud800"}', '{"a":{"b":1},"a.b":2}'],
)  # fmt: skip
def test_odd_features_are_taken_or_refused_alike_alone_in_a_list_and_in_lines(
    tmp_path: Path, features: str
) -> None:
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json={"learner": "perceptron", "n_features": 64})
        for verb, rest in (("predict", ""), ("learn", ',"label":1')):
            row = f'{{"features":{features}{rest}}}'
            told = [
                service.post(f"/v1/models/m/{verb}", content=text, headers={"content-type": kind})
                for text, kind in (
                    (row, "application/json"),
                    (f"[{row}]", "application/json"),
                    (row + "\n", "application/x-ndjson"),
                )
            ]
            assert len({answer.status_code for answer in told}) == 1, [one.text for one in told]
            assert told[0].status_code in (200, 422, 400), told[0].text


def test_an_importance_of_zero_counts_a_mistake_and_changes_nothing(tmp_path: Path) -> None:
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json={"learner": "perceptron", "n_features": 64})
        row = {"features": {"a": 1}, "label": -1, "importance": 0}
        told = service.post("/v1/models/m/learn", json=row).json()
        assert (told["mistake"], told["sequence"]) == (True, 1)
        again = service.post("/v1/models/m/predict", json={"features": {"a": 1}}).json()
        assert again == {"sequence": 1, "prediction": 1, "score": 0.0}


def test_lines_that_are_rows_are_those_that_a_model_reads() -> None:
    pupil = Pupil(created(Settings("perceptron", n_features=64)))
    svmlight = b"1 3:1\r\n\n \t\n# c\n  -1 5:2 # x\n1\n1 # \n\r\n-1 qid:4 6:1 7:0.5"
    vw = b"1 |a b c\n\n-1 2.0 'tag|x y:2 |z w\r\n1 | \n"
    for kind, text in (("svmlight", svmlight), ("vw", vw)):
        assert lines_of_rows(kind, text) == pupil.reader.read(kind, text).lines()
        assert len(lines_of_rows(kind, text)) > 2
    with pytest.raises(ThresherError):
        lines_of_rows("svmlight", b"1 nonsense\n")


def test_a_retry_of_lines_with_a_key_is_answered_when_the_model_would_refuse_them(
    tmp_path: Path,
) -> None:
    with service_on(tmp_path) as service:
        service.put("/v1/models/m", json={"learner": "perceptron", "n_features": 64})
        headers = {"content-type": "text/x-svmlight", "idempotency-key": "k"}
        text = "1 60:1\n-1 3:-2\n"
        first = service.post("/v1/models/m/learn", content=text, headers=headers)
        assert first.status_code == 200
        # Four columns, and values from 0 on: the new champion takes neither line.
        service.put("/v1/models/m/shadow", json={"learner": "winnow", "n_features": 4})
        service.post("/v1/models/m/swap")
        again = service.post("/v1/models/m/learn", content=text, headers=headers)
        assert again.text == first.text.replace("}", ',"repeated":true}')
        other = service.post("/v1/models/m/learn", content="1 60:2\n-1 3:-2\n", headers=headers)
        assert other.status_code == 409
        headers["idempotency-key"] = "l"
        assert service.post("/v1/models/m/learn", content=text, headers=headers).status_code == 422


async def many(folder: Path, count: int) -> dict[str, Any]:
    """Requests that come at once, with retries, bad rows and a change among them."""
    store = Store(folder)
    models = LiveModels(store)
    await models.recover()
    served = await changes.make(models, "m", Settings("perceptron", n_features=64))

    def sent(k: int) -> Any:
        line = b'{"label":%d,"features":{"w%d":1}}\n' % (1 if k % 3 else -1, k % 7)
        if k % 10 == 9:
            line = b'{"label":"neither","features":{"w":1}}\n'
        return learn(models, served, "json", line, [f"e{k - 1 if k % 5 == 4 else k}"])

    # A retry that says something else is refused; the first of each pair is learned.
    found = await asyncio.gather(*(sent(k) for k in range(count)), return_exceptions=True)
    entries = list(store.entries(served.stored.number, 0))
    await models.close()
    told = {
        "sequences": [one[0].sequence for one in found if isinstance(one, list)],
        "refused": sum(isinstance(one, ThresherError) for one in found),
        "entries": [entry.size for entry in entries],
        "ids": [ident for entry in entries for ident in entry.ids or []],
        "rounds": served.live.champion.model.learner.n_rounds,
        "along": models.along,
        "promised": len(served.promised),
        "works": models.tally.works,
    }
    store.close()
    return told


def test_requests_that_come_at_once_share_entries_of_the_log(tmp_path: Path) -> None:
    told = asyncio.run(many(tmp_path, 200))
    # Of each ten, one repeats the id before it with another example, and one has a bad label.
    assert told["refused"] == 40
    assert told["sequences"] == list(range(1, 161))
    assert sum(told["entries"]) == told["rounds"] == len({*told["ids"]}) == 160
    # How many wait together depends on the disk and on who else works; alone each would be 160.
    assert len(told["entries"]) < 80
    assert (told["along"], told["promised"]) == (0, 0)
    # The model was made by one more.
    assert told["works"] == 161
