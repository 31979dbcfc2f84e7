"""One declaration stands for a learner, at both doors."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import thresher as th
import thresher.river
import thresher.sklearn
from scripts.write_adapter_stubs import DOORS, path_of, stub
from thresher.learners import registry
from thresher.learners.adapter import COMMON
from thresher.learners.two_class.perceptron import Perceptron
from thresher.river.classifier import RiverClassifier
from thresher.river.weighted import WeightedRiverClassifier
from thresher.sklearn.estimator import Estimator
from thresher.sklearn.weighted import WeightedEstimator

KINDS = [
    getattr(door, name)
    for door in (thresher.sklearn, thresher.river)
    for name in door.__all__  # the same names at both
]
#: What a class leaves to the learner's defaults, and why, say the declarations.
LEFT_OUT = {"WinnowClassifier": {"zeroing", "literals"}, "SignedWinnowClassifier": {"radius"}}


@pytest.mark.parametrize("door", DOORS)
def test_the_stub_states_the_parameters_there_are(door: str) -> None:
    module = import_module(door)
    assert path_of(module).read_text("utf-8") == stub(module), (
        "run: python -m scripts.write_adapter_stubs"
    )


def stubbed(tree: ast.Module) -> Iterator[tuple[str, list[str], list[Any]]]:
    """Name, parameters and defaults of the classes in a stub."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            (init,) = (part for part in node.body if isinstance(part, ast.FunctionDef))
            names = [one.arg for one in init.args.args[1:] + init.args.kwonlyargs]
            defaults = [*init.args.defaults, *init.args.kw_defaults]
            yield node.name, names, [ast.literal_eval(one) for one in defaults if one is not None]


@pytest.mark.parametrize("door", DOORS)
def test_a_stub_read_by_others_says_what_the_classes_say(door: str) -> None:
    module = import_module(door)
    found = {}
    for name, names, defaults in stubbed(ast.parse(path_of(module).read_text("utf-8"))):
        found[name] = dict(zip(names, defaults, strict=True))
    for name in module.__all__:
        stated = inspect.signature(getattr(module, name)).parameters
        assert found.pop(name) == {one.name: one.default for one in stated.values()}
    assert found == {}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_a_class_takes_what_its_learner_takes(kind: Any) -> None:
    learner = inspect.signature(getattr(th, kind.__name__.removesuffix("Classifier"))).parameters
    taken = inspect.signature(kind).parameters
    assert set(learner) - COMMON - set(taken) == LEFT_OUT.get(kind.__name__, set())
    for name in set(learner) & set(taken) - COMMON:
        changed = (kind.__name__, name) == ("SignedWinnowClassifier", "margin")
        assert taken[name].default == (0.1 if changed else learner[name].default)
    weighted = issubclass(kind, WeightedEstimator | WeightedRiverClassifier)
    assert weighted == ("class_weight" in learner)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_help_speaks_of_every_parameter(kind: Any) -> None:
    text = inspect.getdoc(kind)
    assert text is not None
    section = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    heads = [line for line in section.splitlines() if not line.startswith(" ")]
    listed = [name for head in heads for name in head.split(", ")]
    assert sorted(listed) == sorted(inspect.signature(kind).parameters)
    # Whoever is sent to the learner's page finds the parameter there.
    described = section.partition("\n    As for :class:")[0].split(", ")
    assert set(described) <= set(inspect.signature(type(kind._example)).parameters)


class Eager(Perceptron):
    """A Perceptron with one more parameter."""

    def __init__(
        self, n_features: int | None = None, bias: bool = False, zeal: float = 2.0, **options: Any
    ) -> None:
        self._zeal = zeal
        super().__init__(n_features, bias, zeal, **options)


@pytest.mark.parametrize("base", [WeightedEstimator, WeightedRiverClassifier])
def test_a_new_learner_needs_a_declaration_and_no_more(
    base: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = registry.Record("eager", "Eager", "")
    monkeypatch.setattr(type(record), "load", lambda self: Eager)
    monkeypatch.setitem(registry.LEARNERS, "eager", record)

    class EagerClassifier(base, learner="eager"):  # type: ignore[misc,call-arg]
        """Eager."""

    assert inspect.signature(EagerClassifier).parameters["zeal"].default == 2.0
    model: Any = EagerClassifier(zeal=3.0)
    assert model.zeal == 3.0
    if base is WeightedEstimator:
        assert model.fit([[1.0], [-1.0]], [0, 1]).learner_.parameters["zeal"] == 3.0
    else:
        model.learn_one({"a": 1.0}, True)
        assert model.learner.parameters["zeal"] == 3.0


@pytest.mark.parametrize("base", [Estimator, RiverClassifier])
def test_what_is_no_parameter_is_refused_in_the_name_of_the_class(base: Any) -> None:
    kind = next(kind for kind in KINDS if issubclass(kind, base))
    with pytest.raises(TypeError, match=rf"{kind.__name__}\(\) got an unexpected .* 'colour'"):
        kind(colour="red")
