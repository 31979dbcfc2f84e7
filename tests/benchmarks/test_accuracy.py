from __future__ import annotations

import lzma
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import linear_model

from benchmarks import committee_speed
from benchmarks.accuracy import __main__ as accuracy
from benchmarks.accuracy import groups
from benchmarks.accuracy.committee import COMMITTEE, committee, member_errors
from benchmarks.accuracy.competitors import OURS, Competitor, chosen
from benchmarks.accuracy.datasets import READERS, Dataset, words
from benchmarks.accuracy.from_river import dicts, is_narrow, river
from benchmarks.accuracy.groups import Group, halves
from benchmarks.accuracy.page import in_short, section, verdicts
from benchmarks.accuracy.results import Record, Result
from benchmarks.accuracy.scikit_learn import scikit_learn
from benchmarks.accuracy.tables import from_table
from benchmarks.accuracy.vowpal_wabbit import PRESENCE, REPEATED, as_text, bits
from benchmarks.marks import rewrite


def made(classes: int, rows: int = 60) -> Dataset:
    random = np.random.default_rng(classes)
    label = random.integers(0, classes, rows)
    table = (random.random((rows, 8)) < 0.3).astype(float)
    table[np.arange(rows), label] = 2.0
    return Dataset("made", csr_matrix(table), label.astype(np.int64))


def test_words_are_lower_case_and_pairs_come_after() -> None:
    assert words("Don't STOP, don't!") == ["don't", "stop", "don't"]
    assert words("a b c", 2) == ["a", "b", "c", "a b", "b c"]


def test_sets_are_read_from_their_original_files(tmp_path: Path) -> None:
    folder = tmp_path / "libsvm_adult"
    folder.mkdir()
    (folder / "a9a.xz").write_bytes(lzma.compress(b"-1 3:1 7:1 \n+1 2:1 7:0\n-1\n"))
    adult = READERS["a9a"](tmp_path)
    assert adult.classes.tolist() == [0, 1, 0]
    assert np.flatnonzero(adult.rows.toarray()[0]).tolist() == [3, 7]
    assert adult.rows.nnz == 3
    (tmp_path / "sms_spam").mkdir()
    (tmp_path / "sms_spam/SMSSpamCollection").write_bytes(b"ham\tgo now\r\nspam\tnow now\r\n")
    spam = READERS["sms_spam"](tmp_path)
    assert spam.classes.tolist() == [0, 1]
    assert spam.rows.toarray().tolist() == [[1, 1, 1, 0], [0, 2, 0, 1]]
    (tmp_path / "nltk_corpora").mkdir()
    with zipfile.ZipFile(tmp_path / "nltk_corpora/qc.zip", "w") as archive:
        archive.writestr("qc/train.txt", "DESC:manner How ?\nHUM:ind Who ?\n")
        archive.writestr("qc/test.txt", "DESC:def What ?\n")
    assert READERS["qc"](tmp_path).classes.tolist() == [0, 1, 0]


def test_an_order_belongs_to_its_seed() -> None:
    data = made(2)
    assert np.array_equal(data.shuffled(3).classes, data.shuffled(3).classes)
    assert not np.array_equal(data.shuffled(3).classes, data.shuffled(4).classes)
    assert sorted(data.shuffled(3).classes.tolist()) == sorted(data.classes.tolist())


def test_text_for_vowpal_wabbit_says_what_the_rows_say() -> None:
    rows = csr_matrix(np.array([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0]]))
    two = Dataset("two", rows, np.array([0, 1, 0]))
    assert as_text(two) == "-1 | 1:1.5\n1 | 0:2\n-1 | \n"
    assert as_text(Dataset("three", rows, np.array([0, 1, 2]))).startswith("1 | 1:1.5\n2 | 0:2\n3")
    counted = Dataset("words", csr_matrix(np.array([[3.0, 1.0]])), np.array([1]), counts=True)
    assert as_text(counted, PRESENCE).endswith("| 0 1\n")
    assert as_text(counted, REPEATED).endswith("| 0 0 0 1\n")


@pytest.mark.parametrize("classes", [2, 3])
def test_predictions_are_made_before_the_label_is_seen(classes: int) -> None:
    """Other labels from row 40 on: predictions up to and including row 40 stay as they were."""
    data = made(classes)
    changed = data.classes.copy()
    changed[40:] = (changed[40:] + 1) % classes
    other = Dataset("other", data.rows, changed)
    standard = river("StandardScaler", zeros=True)
    for play in (
        committee,
        scikit_learn("Perceptron", random_state=0),
        river("MaxAbsScaler"),
        standard,
    ):
        assert np.array_equal(play(data)[:41], play(other)[:41])
    assert not np.array_equal(committee(data)[41:], committee(other)[41:])


@pytest.mark.parametrize("classes", [2, 3])
def test_every_member_has_an_error(classes: int) -> None:
    errors = member_errors(made(classes))
    assert len(errors) == 15
    assert all(0 <= error <= 1 for error in errors)


def test_members_that_leave_wide_rows_are_not_counted() -> None:
    wide = Dataset("wide", csr_matrix(np.ones((2, 3000))), np.array([0, 1]))
    assert len(member_errors(wide)) == 8


def test_a_scaler_that_subtracts_means_is_told_of_zeros_where_rows_are_narrow() -> None:
    data = Dataset("two", csr_matrix(np.array([[0.0, 1.5]])), np.array([0]))
    assert next(dicts(data, zeros=True)) == {0: 0.0, 1: 1.5}
    assert next(dicts(data, zeros=False)) == {1: 1.5}
    assert is_narrow(data)
    assert not is_narrow(Dataset("wide", csr_matrix((1, 5000)), np.array([0])))


def test_competitors_are_chosen_by_how_their_names_begin() -> None:
    everybody = [Competitor(name, committee) for name in ("VW hinge", "VW coin", "River")]
    assert [who.name for who in chosen(everybody, "VW c,River")] == ["VW coin", "River"]
    assert chosen(everybody, "") == everybody


def results() -> dict[str, Result]:
    return {
        "good": Result(
            "good",
            10,
            2,
            2,
            {
                OURS: {0: 0.1},
                "member 1": {0: 0.3},
                "member 2": {0: 0.1},
                "VW logistic": {0: 0.2},
                "River": {0: 0.4},
            },
        ),
        "folder/bad": Result(
            "folder/bad",
            10,
            2,
            2,
            # In the one order that both have played, two against one.
            {
                OURS: {0: 0.25, 1: 0.125},
                "member 1": {0: 0.25, 1: 0.125},
                "member 2": {0: 0.5, 1: 0.5},
                "VW logistic": {0: 0.125},
                "VW presence hinge": {0: 0.2, 1: 0.2},
            },
        ),
    }


def test_the_page_counts_wins_and_names_the_worst() -> None:
    peers = ["VW logistic", "River", "VW presence hinge"]
    best, lost, vowpal_wabbit, river_alone, _, members = verdicts([*results().values()], peers)
    assert "the best of all peers: at or below on 1 of 2 sets; ratio 1.000 on average" in best
    assert lost == "* above it on 1: bad (2.000, VW logistic)"
    assert "VW logistic: at or below on 1 of 2 sets; ratio 1.000" in vowpal_wabbit
    assert "2.000 at worst (bad)" in vowpal_wabbit
    assert "River: at or below on 1 of 1 sets; ratio 0.250" in river_alone
    assert "best member: at or below on 2 of 2 sets; ratio 1.000" in members


def test_a_section_shows_the_best_peer_and_then_everybody() -> None:
    readers = {name: partial(made, 2) for name in results()}
    text = section(Group("all", readers), results())
    overview, words_of_it, everybody, forms = text.split("\n\n")
    assert "| bad | 10 | 2 | 2 | 18.75 ± 6.25 | VW logistic | 12.50 (1) | 2.000 |" in overview
    assert words_of_it.count("* next to") == 5
    assert "| set | Committee | best member | VW logistic | River |" in everybody
    assert "| good | 10.00 | 10.00 | 20.00 | 40.00 |" in everybody
    assert forms.endswith("| bad | 18.75 | 20.00 |")
    assert section(Group("all", readers, listed=False), results()) == words_of_it
    assert section(Group("none", {"other": partial(made, 2)}), results()) == "Nothing measured."


def test_in_short_there_is_a_line_a_group_and_one_for_all() -> None:
    first, second = (Group(name, {name: partial(made, 2)}) for name in results())
    lines = in_short([first, second], results()).splitlines()
    assert lines[2:] == [
        "| good | 1 of 1 | 0.500 | 0.500 |",
        "| folder/bad | 0 of 1 | 2.000 | 2.000 |",
        "| all but imbalanced | 1 of 2 | 1.000 | 2.000 |",
    ]


def test_others_are_shown_in_the_orders_that_ours_has_played() -> None:
    more = Result("more", 10, 2, 2, {OURS: {0: 0.1}, "a": {0: 0.2, 1: 0.9}, "b": {1: 0.5}})
    assert more.in_orders_of(OURS).errors == {OURS: {0: 0.1}, "a": {0: 0.2}}


def test_a_set_without_mistakes_has_a_ratio_all_the_same() -> None:
    perfect = Result("perfect", 10, 2, 2, {"a": {0: 0.0}, "b": {0: 0.1}, "c": {0: 0.0}})
    assert perfect.ratio("a", "c") == 1.0
    assert perfect.ratio("a", "b") == pytest.approx(0.5 / 1.5)
    assert perfect.ratio("b", "a") == pytest.approx(3.0)


def test_sections_go_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before <!-- a -->old<!-- end of a --> after.\n")
    rewrite(page, {"a": "new"})
    assert page.read_text() == "Before <!-- a -->\n\nnew\n\n<!-- end of a --> after.\n"
    with pytest.raises(SystemExit, match="no place for b"):
        rewrite(page, {"b": "new"})


def test_tables_at_even_places_are_the_first_half(tmp_path: Path) -> None:
    folder = tmp_path / "balanced" / "raw"
    folder.mkdir(parents=True)
    for name in "cab":
        (folder / f"{name}.dat").write_text("1,yes\n2,no\n")
    first, second = halves(folder, listed=True)
    assert [first.name, *first.readers] == ["balanced, first half", "balanced/a", "balanced/c"]
    assert [*second.readers] == ["balanced/b"]
    assert second.readers["balanced/b"]().classes.tolist() == [1, 0]


def test_the_whole_benchmark_goes_on_from_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(groups, "READERS", {"made": lambda folder: made(2)})
    monkeypatch.setattr(accuracy, "EVERYBODY", [COMMITTEE, Competitor("other", committee)])
    figures = tmp_path / "figures.json"
    options = ["--data", str(tmp_path), "--orders", "2", "--json", str(figures)]
    accuracy.main([*options, "--who", "other"])
    assert len(figures.read_text("utf-8").splitlines()) == 2
    accuracy.main(options)
    assert "| made | 60 | 8 | 2 |" in capsys.readouterr().out
    before = figures.read_text("utf-8")
    # A second run finds everything there; a member's errors are kept as well.
    accuracy.main(options)
    assert figures.read_text("utf-8") == before
    assert Record(figures).results["made"].members()
    # Asked to, it measures ours again, and nobody else.
    accuracy.main([*options, "--again"])
    again = figures.read_text("utf-8")
    assert sorted(again.splitlines()) == sorted(before.splitlines())
    assert again.splitlines()[:2] == before.splitlines()[:2]


def test_a_table_of_numbers_and_categories_is_a_set(tmp_path: Path) -> None:
    path = tmp_path / "pets.dat"
    path.write_text("1.5, cat,yes\n-2,dog,no\n0,cat,yes\n", "utf-8")
    pets = from_table(path)
    assert pets.name == "pets"
    assert pets.classes.tolist() == [1, 0, 1]
    assert pets.rows.toarray().tolist() == [[1.5, 1, 0], [-2, 0, 1], [0, 1, 0]]


def test_vowpal_wabbit_gets_a_bit_for_every_weight() -> None:
    def wide(columns: int, classes: int) -> Dataset:
        rows = csr_matrix((classes, columns))
        return Dataset("wide", rows, np.arange(classes))

    assert [bits(wide(2**17, 2)), bits(wide(2**18, 2))] == [18, 19]
    # Five classes take eight weights.
    assert bits(wide(2**17 - 1, 5)) == 20


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", ["SGDClassifier", "PassiveAggressiveClassifier", "Perceptron"])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_scikit_learn_predicts_what_its_predict_says(name: str, classes: int) -> None:
    data = made(classes)
    model = getattr(linear_model, name)(random_state=0)
    expected = [0]
    for t, label in enumerate(data.classes):
        if t:
            expected.append(int(model.predict(data.rows[t])[0]))
        model.partial_fit(data.rows[t], [label], np.arange(classes))
    assert scikit_learn(name, random_state=0)(data).tolist() == expected


def test_the_speed_of_eight_members_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    committee_speed.main(["--rows", "200", "--repeat", "1"])
    printed = capsys.readouterr().out
    assert printed.count("Committee, 8 members: time next to AROW") == 2
