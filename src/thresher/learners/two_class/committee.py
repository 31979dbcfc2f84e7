"""The Committee: learners side by side in one pass, and a mixture that needs no tuning."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from math import log
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError, HypothesisError
from thresher.kernels.engines.committee import MOST_LANES, RULES, STARTS, CommitteeEngine
from thresher.kernels.engines.committee_parts import scores_taken_apart
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.kernels.rows.journal import JournalBuffer
from thresher.learners.base.identity_link import LARGEST_VALUE
from thresher.learners.base.learner import Features
from thresher.learners.base.options import ClassWeight, class_weights
from thresher.learners.base.probability_map import Halves
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.learners.base.standing import Standing
from thresher.learners.two_class.committee_form import CommitteeForm
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, checked_members, seat_of
from thresher.learners.two_class.committee_parts import Heard, Shares, parts_of
from thresher.learners.two_class.committee_state import CommitteeState
from thresher.learners.two_class.standard_columns import StandardColumns
from thresher.names.tables import Hashed, Vocabulary, name_table
from thresher.parameters import MAX_FEATURES, checked_count
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.learners.base.linear_form import LinearForm
    from thresher.streams.labels import Label
    from thresher.theory import MixtureOfExperts


class Committee(CommitteeState):
    r"""Up to fifteen learners trained in one pass, mixed so that nothing needs tuning.

    **Members.** Each scores the row with its own weights and learns from every label, whether it
    was right or wrong. With :math:`y` the label, :math:`x` the row as the member sees it
    (`Member`), :math:`s` its score and :math:`\sigma_i` a variance, 1 at the start,

    .. math::

        \text{arow: } & w_i \mathrel{+}= y\,\frac{1 - ys}{r + \sum_j \sigma_j x_j^2}\,\sigma_i x_i
        \text{ and } \frac1{\sigma_i} \mathrel{+}= \frac{x_i^2}{r} \text{ where } ys < 1, \\
        \text{adagrad: } & g = \frac{1}{1 + e^{ys}}, \quad G_i \mathrel{+}= g^2 x_i^2, \quad
        w_i \mathrel{+}= \text{rate}\cdot y\,g\,x_i/\sqrt{G_i}, \\
        \text{means: } & w_i \text{ is the mean of } y - \bar y \text{ over the rows with } x_i, \\
        \text{matrix: } & v = \Sigma x, \quad w \mathrel{+}= y\,\frac{1 - ys}{r + x \cdot v}\,v
        \text{ and } \Sigma \mathrel{-}= \frac{v v^\top}{r + x \cdot v} \text{ where } ys < 1.

    On standardised columns means is a linear discriminant: :math:`w_i` is the difference of the
    means of the column in the two classes, over its variance within a class.

    Every member has a constant feature. Values and scores are in single precision, in double
    precision for the members that see standardised columns. These leave when the stream turns out
    to have more than 1024 columns; those with a number for each pair of columns leave when it has
    more than 128. The mixture continues with the others, whose weights all grow by the same
    factor.

    **Experts.** A member's log-odds are its score, divided by its root mean square so far and
    multiplied by a learned slope. Two more experts combine the log-odds of all members: their
    average, with the initial weights of the members; and a weighted sum of them and a constant,
    whose weights Newton's method fits to the logistic loss.

    **Mixture.** The experts' probabilities are averaged with weights that follow their likelihood:
    after round :math:`t` expert :math:`e`, which gave the label probability :math:`p_{t,e}`, has
    the weight

    .. math::

        v_{t+1,e} = \frac{t}{t + 1}\, \frac{v_{t,e}\,p_{t,e}}{\sum_f v_{t,f}\,p_{t,f}}
        + \frac{1}{t+1}\,v_{1,e}.

    At the start the members have six tenths of the weight, each member for narrow streams as much
    as eight others; the average has three tenths, the combination one tenth. The score is the
    probability of +1 minus that of -1.

    **Theorem** (:class:`thresher.theory.MixtureOfExperts`). The mixture's logarithmic loss is at
    most that of any expert plus :math:`\ln(1/v_{1,e}) + \ln T`, whatever the stream; a mistake
    costs at least :math:`\ln 2`. `bound` inserts the measured losses. A member that left counts as
    predicting what the mixture predicts from then on.

    **Weights.** A row of importance :math:`\omega` (times the weight of its class) is learned with
    :math:`r/\omega` by arow and matrix, with :math:`\omega g` by adagrad, and counts
    :math:`\omega` times in means; its gradients and curvatures count :math:`\omega` times in
    slopes and combination, and :math:`p_{t,e}^\omega` replaces :math:`p_{t,e}`. Means and
    deviations of columns count rows. A row of weight 0 changes only the number of rounds. Losses
    count rows once, and the theorem is claimed only if all rows weighed 1.

    **Cost.** Every round is an update, right or wrong, so a journal would be the whole stream:
    none is kept, and a certificate needs the stream. For each non-zero of the row one line of 16
    floats is read, then read and written again, for up to eight members at once; the mixture adds
    about a thousand operations per round. The learner stores 16 floats and a double per feature. A
    stream of :math:`d \le 128` columns adds some :math:`4 d^2` operations and :math:`12 d^2`
    bytes; with more columns, up to 1024, some :math:`50 d`.

    Parameters
    ----------
    n_features
        Number of weights; indices lie in ``[0, n_features)``. None: grow, names in a vocabulary.
    members
        Up to eight of :class:`Member`, or triples with the same fields, and up to seven for narrow
        streams. None: `DEFAULT_MEMBERS`.
    names
        How names in dicts are mapped to weights: :class:`~thresher.Hashed` or
        :class:`~thresher.Vocabulary`.
    class_weight
        How much the classes count, as ``{-1: 1.0, +1: 5.0}`` or as a pair (negative,
        positive): what a row weighs (`importance`) is multiplied by it.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams import load_mushrooms
    >>> mushrooms, names = load_mushrooms(order=1)
    >>> learner = th.Committee(n_features=len(names))
    >>> learner.learn(mushrooms).mistakes <= learner.bound().max_mistakes()
    True
    >>> best = min(learner.members, key=lambda member: member.log_loss)
    >>> learner.log_loss <= best.log_loss + log(len(mushrooms) / best.prior)
    True
    >>> mail = th.Committee()
    >>> mail.learn_one({"meeting": 1}, -1), mail.learn_one({"cash": 2, "now": 1}, +1)
    (1, -1)
    >>> mail.predict_one({"meeting": 1}), mail.predict_one({"cash": 2})
    (-1, 1)
    """

    name: ClassVar[str] = "committee"
    minds_new_features = True
    # Only features that were learned from have any.
    numbers_of_a_feature: ClassVar[int] = 0
    always_biased: ClassVar[bool] = True
    # Its members see a row in ways of their own.
    _by_weights_alone: ClassVar[bool] = False

    def __init__(
        self,
        n_features: int | None = None,
        members: Iterable[tuple[str, float, str]] | None = None,
        names: Hashed | Vocabulary | None = None,
        class_weight: ClassWeight = None,
    ) -> None:
        owner = type(self).__name__
        chosen = DEFAULT_MEMBERS if members is None else checked_members(owner, members)
        self._n_features = n_features
        self._members = None if members is None else chosen
        self._names = names
        self._class_weight = class_weight
        if n_features is not None:
            n_features = checked_count(owner, "n_features", n_features, 1, MAX_FEATURES)
        self._engine = CommitteeEngine(
            owner,
            name_table(owner, names, n_features, bounded=False),
            JournalBuffer(0),
            n_features or 0,
            False,
            0.0,
            (-LARGEST_VALUE, LARGEST_VALUE, False),
        )
        self._engine.set_members([(member.rule, member.rows, member.setting) for member in chosen])
        self._engine.weigh(True, *class_weights(owner, class_weight))
        self._chosen = chosen

    @property
    def most_bytes(self) -> int:
        """The memory that its arrays take, once it has learned from all its features."""
        # A line, one over the largest value, the column of the slot and the slot of the column.
        return self.n_features * (2 * MOST_LANES * 4 + 8 + 4 + 4)

    @property
    def settled_parameters(self) -> dict[str, Any]:
        """The parameters, the members that were chosen among them."""
        return self.parameters | {"members": [member._asdict() for member in self._chosen]}

    @property
    def members(self) -> tuple[Standing, ...]:
        """How each member has done, then the two combinations of them."""
        record = {name: part.tolist() for name, part in self._record().items()}
        present = self._engine.present
        titles = [f"{m.rule} {m.setting:g} {m.rows}" for m in self._chosen]
        return tuple(
            Standing(
                title,
                record["mistakes"][e],
                loss_of(record["likelihood"][e], record["places"][e]),
                record["belief"][e],
                start,
                left=present <= e < len(titles),
            )
            for e, (title, start) in enumerate(
                zip([*titles, "average", "combination"], record["prior"], strict=True)
            )
        )

    @property
    def log_loss(self) -> float:
        """The sum of -ln(probability given to the label) over all rounds."""
        record = self._record()
        return loss_of(float(record["likelihood"][-1]), int(record["places"][-1]))

    def _record(self) -> dict[str, NDArray[Any]]:
        """A copy of what the engine keeps beside the weights, taken between two batches."""
        with self._between_batches():
            return {name: np.array(part) for name, part in self._engine.fields().items()}

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """The numbers that decide its future predictions and updates, by name.

        A line per feature that was seen and a number per member: ``weight`` and ``second``
        (variance, sum of squares or count); ``shrink``, one over the largest value of the feature.
        ``bias`` is the constant feature: the weights, then the second numbers. While the stream is
        narrow, ``slots`` has its columns by first appearance, ``mean`` and ``squares`` (squared
        distances from it) one number for each, and ``seats`` for one member after the other the
        weights, then the second numbers. The rest belongs to the experts. Counts made during the
        run (losses, mistakes) decide nothing.
        """
        # The verifier's room is not needed to learn.
        from thresher.verifier.state import sparse_state  # noqa: PLC0415

        lanes = [member for member in self._chosen if seat_of(member) < 0]
        with self._between_batches():
            engine = self._engine
            columns, lines, shrink, bias = self._by_column(len(lanes))
            part = {name: np.array(field) for name, field in engine.fields().items()}
            rounds, labels = engine.totals()[:2].tolist()
            column, mean, squares, *seats = engine.standards()
            _, _, mass, _, present = engine.totals().tolist()
            standing = [mass, present, engine.features()[4][1]]
        more: dict[str, NDArray[Any]] = {}
        if len(lanes) < len(self._chosen) or standing[0] != rounds:
            more = {
                "standing": np.array(standing),
                "slots": column.astype(np.int64),
                "mean": mean,
                "squares": squares,
                "seats": np.concatenate([np.zeros(0), *seats]),
            }
        found = sparse_state(
            {"weight": lines[:, 0], "second": lines[:, 1], "shrink": shrink},
            {"second": [STARTS[RULES.index(m.rule)] for m in lanes], "shrink": UNSEEN},
            bias=bias.ravel(),
            rounds=rounds,
            labels=labels,
            **{name: part[name] for name in ("belief", "square", "slope", "curvature", "share")},
            spread=np.ascontiguousarray(part["spread"]),
            **more,
        )
        return found | {"columns": columns[found["columns"]].astype(np.int64)}

    def _by_column(self, lanes: int) -> tuple[NDArray[Any], ...]:
        """Columns that were learned from, increasing, their lines and largest values; the bias.

        A line is the weights of the members in lanes, and their second numbers.
        """
        _, _, column, shrink, *_, table = self._engine.features()
        order = np.argsort(column)
        lines = table[order].reshape(-1, 2, MOST_LANES)[:, :, :lanes]
        bias = self._engine.other_state()[1].reshape(2, MOST_LANES)[:, :lanes]
        return column[order], lines, shrink[order], bias

    @property
    def gives_probabilities(self) -> bool:
        """Whether it says how probable each class is: its score is a probability in disguise."""
        return True

    def probability_map(self, label: Label | None = None) -> Halves:
        """How its scores become probabilities."""
        return Halves()

    def probability_one(self, features: Features) -> float:
        """The probability of +1 for a dict of features; nothing changes."""
        return (1.0 + self.score_one(features)) / 2.0

    def bound(self) -> MixtureOfExperts:
        """The theorem with the losses of this run put in, against the expert it favours most."""
        if self.warm_start:
            raise HypothesisError("MixtureOfExperts", "one run from the start", "shards combined")
        weighed = self._engine.totals()[3]
        if weighed:
            measured = f"{weighed:.0f} rows with other weights"
            raise HypothesisError("MixtureOfExperts", "rows that weigh 1 each", measured)
        best = min(self.members, key=lambda member: member.log_loss - log(member.prior))
        # Imported when asked for: it brings all theorems along.
        theorem: type[MixtureOfExperts] = import_module("thresher.theory").MixtureOfExperts
        return theorem(expert_loss=best.log_loss, prior=best.prior, rounds=self.n_rounds)

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the log-odds of rows are made of; see `committee_parts`."""
        with self._between_batches() as engine:
            rounds, _, _, _, n = map(int, self._engine.totals())
            rows = rows.clipped(engine.n_features)
            arrays = (rows.row_start, rows.column, rows.value)
            heard = Heard(*scores_taken_apart(self._engine, *arrays))
            part = {name: np.array(field) for name, field in self._engine.fields().items()}
        shares = Shares(part["share"][: n + 1], part["slope"][:n], part["square"][:n], rounds)
        return parts_of(rows, heard, shares, self.mixture_form(), self.members)

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """What features at their largest value so far add to the log-odds of the combination."""
        form = self.mixture_form()
        known = (form.shrink < UNSEEN) & (form.shrink > 0.0) & form.weights.any(axis=1)
        column, value = form.columns[known], 1.0 / form.shrink[known]
        adds = self.score_parts(Rows(np.arange(len(column) + 1), column, value)).adds
        constant = float(self.score_parts(Rows.of([{}])).constant[0])
        order = np.argsort(-np.abs(adds), kind="stable")
        places = (column[order].astype(np.int64), value[order], adds[order])
        return LoneEffects(*places, constant, 0.0, form.n_features, "alone")

    @property
    def weights(self) -> NDArray[np.float64]:
        """Refused: no list of weights scores as a committee does."""
        raise self._no_weights()

    @property
    def bias_weight(self) -> float:
        """Refused: no list of weights scores as a committee does."""
        raise self._no_weights()

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """Refused: a committee is not a linear classifier."""
        raise self._no_weights()

    @staticmethod
    def _no_weights() -> ExportError:
        return ExportError(
            "a Committee mixes learners that see a row in different ways: no list of weights "
            "scores as it does.",
            "`explain` says what the features of a row add, `lone_effects` what each would add "
            "alone; a single learner, such as AROW, has weights.",
            code="export.no_weights",
        )

    def mixture_form(self, label: Label | None = None) -> CommitteeForm:
        """The numbers behind the scores, for computing them elsewhere."""
        lanes = sum(seat_of(member) < 0 for member in self._chosen)
        with self._between_batches():
            engine = self._engine
            columns, lines, shrink, bias = self._by_column(lanes)
            part = {name: np.array(field) for name, field in engine.fields().items()}
            column, mean, squares, *seats = engine.standards()
            standard = StandardColumns(column, mean, squares, float(engine.features()[4][1]))
        return CommitteeForm(
            members=self._chosen,
            n_features=engine.n_features,
            columns=columns,
            weights=lines[:, 0].copy(),
            shrink=shrink,
            bias=bias[0].copy(),
            standard=standard,
            seats=tuple(seats[::2]),
            rounds=float(engine.totals()[0]),
            **{name: part[name] for name in ("square", "slope", "share", "prior", "belief")},
        )


def loss_of(likelihood: float, places: int) -> float:
    """-ln of a likelihood kept as ``likelihood * 2**(-512 * places)``."""
    return 512 * places * log(2) - log(likelihood)
