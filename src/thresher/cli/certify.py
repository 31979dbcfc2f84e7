"""`thresher certify`: a certificate of how few mistakes a run had to make."""

from __future__ import annotations

import shlex
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.json_result import json_result
from thresher.cli.labelled import importance_option
from thresher.cli.learner_option import chooses_learner, class_weight_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.cli.settings_in_force import MODEL_SUFFIX
from thresher.errors import SourceError
from thresher.models.choice import CLASSICAL_LEARNER, LearnerChoice
from thresher.models.input_data import InputData
from thresher.parameters import exact

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.models.model import Model
    from thresher.streams.batch import Batch
    from thresher.verifier import Certificate, Comparator

CLAIM_DOES_NOT_HOLD = 1
#: Features of the comparator that are named.
MOST_SHOWN = 8


@click.command("certify", cls=Command)
@reads_data()
@chooses_learner(CLASSICAL_LEARNER)
@class_weight_option
@click.option("-o", "--output", metavar="FILE", help="Write the certificate to FILE; - prints it.")
@click.option(
    "--claim",
    metavar="CLAIM",
    help="What you believed before the run, such as disjunction:k=4 or separator:margin=1/10.",
)
@click.option(
    "--witness",
    metavar="FEATURE[=WEIGHT],...",
    help="A comparator to use instead of searching for one.",
)
@click.option(
    "--delta",
    metavar="P",
    default="0.05",
    show_default=True,
    help="Probability with which each statement about new data may fail.",
)
@click.option(
    "--holdout",
    type=click.IntRange(2),
    metavar="EVERY",
    help="Every EVERYth row is held out from learning; the predictions on these rows "
    "show the model's risk.",
)
@click.option(
    "--sign",
    metavar="KEY",
    type=click.Path(exists=True, dir_okay=False),
    help="Sign with a private Ed25519 key, as made by ssh-keygen -t ed25519.",
)
@click.option("--signer", metavar="NAME", default="", help="The name of the signer, as free text.")
@importance_option
@on_a_cluster(None)
@json_option
@quiet_option
def command(
    data: InputData,
    choice: LearnerChoice | None,
    output: str | None,
    place: ClusterPlace | None,
    **said: Any,
) -> int:
    """Certify how many mistakes a run made, and how many a theorem allows.

    The learner runs over the data. The certificate states its mistakes, the theorem that bounds
    them, and what follows for new data. This works for every learner; if no theorem is known, the
    certificate states the count. If the first file is a model (*.thr), its run is certified: give
    the data it was trained on. The run is replayed and must end with the model's own numbers, bit
    for bit. `thresher verify` checks the result.

    \b
    Examples:
      thresher certify mail.svm --learner winnow --features 98 -o run.cert.json
      thresher certify mail.thr mail.svm -o run.cert.json
      thresher certify mail.svm --learner winnow --features 98 --claim disjunction:k=5
      thresher certify mail.svm --learner perceptron --witness 3=1,17=1,bias=-1/2
      thresher certify mail.thr mail.svm -o run.cert.json --sign ~/.ssh/id_ed25519
      thresher certify mail.thr --claim disjunction:k=5      (from the model's journal alone)
      thresher certify mail.svm --learner arow --holdout 10 -o run.cert.json
      thresher certify big.thr 'part-*.svm.gz' -o run.cert.json --cluster local:2

    A model that was trained with --holdout in one pass is certified with the rows that it has not
    learned from; thresher verify needs no option for that. This bounds its error on new rows, if
    the rows held out are independent draws from one source and had no part in training or choosing
    the model.

    A model that was trained with --cluster is certified shard by shard and epoch by epoch, on this
    machine or, with --cluster, on workers. The bound of the theorem about mixing is stated for all
    shards together.

    The exit status is 1 if the run refutes the claim. At most 20,000,000 rows with 200,000,000
    values are certified.
    """
    from thresher.certifier import certify

    quiet, as_json = said["quiet"], said["as_json"]
    model = _loaded(data.paths[0])
    if model is not None and any(training.shards for training in model.history):
        from thresher.cli.certify_combined import certified_combined

        certificate, words = certified_combined(model, data, choice, place, said)
        if said["sign"] is not None:
            certificate = signed(certificate, said["sign"], said["signer"])
        deliver(certificate, output, words, {}, as_json=as_json, quiet=quiet)
        return 0
    if place is not None:
        raise click.UsageError(
            "--cluster is for models that were trained with it: one learner sees its rows in order."
        )
    run = finished(
        model,
        data,
        choice,
        said["holdout"],
        quiet=quiet,
        weights=said["ignore_importance"],
        class_weight=said["class_weight"],
    )
    learner, stream, how_to_read, holdout = run
    if stream is not None and not len(stream):
        raise SourceError(data.named, "there is not a single row to certify")
    claim = None
    if said["claim"] is not None:
        from thresher.models.claims import parse_claim

        claim = parse_claim(said["claim"], learner.n_features)
    witness = None if said["witness"] is None else parse_witness(said["witness"], learner)
    delta = parse_delta(said["delta"])
    paths = [*takewhile(lambda word: not word.startswith("--"), how_to_read)]
    if len({*paths}) < len(paths):
        # Rows that come again are no new draws: nothing follows for new data.
        delta = None
    certificate = certify(
        learner, stream, claim=claim, witness=witness, delta=delta, holdout=holdout
    )
    if witness is not None and certificate.witness is None:
        from thresher.cli.terminal.speech import warn

        warn(f"--witness {said['witness']}: by this comparator no theorem bounds the mistakes")
    if said["sign"] is not None:
        certificate = signed(certificate, said["sign"], said["signer"])
    table = learner.name_table
    known = {} if table is None or table.hashed else table.vocabulary
    named = {column: name for name, column in known.items()}
    deliver(certificate, output, how_to_read, named, as_json=as_json, quiet=quiet)
    return CLAIM_DOES_NOT_HOLD if certificate.kind == "refutation" else 0


def _loaded(path: str) -> Model | None:
    """The model that a path names; None if it is data."""
    from thresher.models.file import load_model

    return load_model(path) if path.endswith(MODEL_SUFFIX) else None


def finished(
    model: Model | None,
    data: InputData,
    choice: LearnerChoice | None,
    holdout: int | None,
    *,
    quiet: bool,
    weights: bool,
    class_weight: dict[str, float] | None,
) -> tuple[Any, Batch | None, list[str], int | None]:
    """A learner after its run, the stream, the words that read it again, what was held out.

    Without a stream its journal is all there is.
    """
    from dataclasses import replace

    from thresher.cli.labelled import reading_words, told
    from thresher.models.arrangement import Arrangement
    from thresher.models.class_weights import checked_weights
    from thresher.models.gathering import gathered, learned_from
    from thresher.models.labelled import labelled_stream

    if model is None:
        data = data.looked_at()
        chosen = LearnerChoice.classical(choice)
        plan = Arrangement(
            data,
            chosen,
            multiclass=chosen.takes_several,
            journal=True,
            class_weight=checked_weights(class_weight),
        )
        learner = plan.before_labels()
        several = True if learner.several else None if data.positive is None else False
        with labelled_stream(data, learner, several=several, ignore_importance=weights) as stream:
            run = learned_from(told(stream, quiet=quiet), plan, learner, holdout)
            return *run, [*data.shown_paths, *reading_words(data)], holdout
    from thresher.certifier.finished_run import identity
    from thresher.models.history import holdout_of

    if choice is not None or class_weight is not None:
        which = "--learner" if class_weight is None else "--class-weight"
        raise click.UsageError(f"{data.paths[0]} has its learner; leave {which} out.")
    # What no data can mend is said before they are read.
    identity(model.learner)
    rest = replace(data, paths=data.paths[1:])
    if not rest.paths:
        return model.learner, None, [], holdout
    holdout = holdout or holdout_of(model.history)
    with labelled_stream(rest, model=model, ignore_importance=weights) as stream:
        batch = gathered(told(stream, quiet=quiet))
    if holdout is not None:
        _check_one_pass(model, len(batch) - len(batch) // holdout)
        return model.learner, batch, [*rest.shown_paths, *reading_words(rest, model)], holdout
    paths = rest.shown_paths * _passes(model.learner.n_rounds, len(batch))
    times = len(paths) // len(rest.paths)
    if times > 1:
        batch = type(batch).joined([batch] * times)
    return model.learner, batch, [*paths, *reading_words(rest, model)], None


def _check_one_pass(model: Model, learned: int) -> None:
    """Refuse a model of several passes, in which rows were held out to choose one of them."""
    from thresher.errors import NotCertifiableError

    rounds = model.learner.n_rounds
    if any(training.holdout_errors is not None for training in model.history):
        raise NotCertifiableError(
            "the model is the one after the best of several passes, and the rows held out said "
            "which that is: they had a part in choosing it. A certificate with rows held out is "
            "about one pass.",
            "Count other rows by `thresher test`, or train in one pass.",
        )
    if learned and rounds > learned and rounds % learned == 0:
        raise NotCertifiableError(
            f"the model has learned its rows {rounds // learned} times. A certificate with rows "
            "held out is about one pass.",
            "Count the rows held out by `thresher test`, or train in one pass.",
        )


def _passes(rounds: int, rows: int) -> int:
    """How often a model that played so many rounds has seen a file of so many rows."""
    return rounds // rows if rows and rounds % rows == 0 and rounds else 1


def signed(certificate: Certificate, key: str, signer: str) -> Certificate:
    """The certificate with a signature; a passphrase is asked for at the terminal."""
    from thresher.certifier import sign

    def ask() -> str:
        return str(click.prompt(f"Passphrase of {key}", hide_input=True, err=True))

    return sign(certificate, key, by=signer, passphrase=ask)


def parse_witness(text: str, learner: Any) -> Any:
    """Weights by column from `feature=weight,...`; `bias` is the constant feature."""
    weights: dict[int, float] = {}
    bias = 0.0
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.rpartition("=")
        # A name may hold an equals sign itself: odor=foul is a feature, not a weight.
        number = exact(value) if equals else None
        feature, weight = (part, 1.0) if number is None else (name, float(number))
        if feature == "bias":
            bias = weight
            continue
        column = learner.column_of(int(feature) if feature.isdecimal() else feature)
        if column is None or column >= learner.n_features:
            raise click.UsageError(f"--witness: the learner has no feature {feature!r}.")
        weights[column] = weight
    if not bias:
        return weights
    listed = [weights.get(column, 0.0) for column in range(learner.n_features)]
    return [*listed, bias]


def parse_delta(text: str) -> Any:
    """A probability, exactly as it is written."""
    delta = exact(text)
    if delta is None or not 0 < delta < 1:
        raise click.UsageError(f"--delta {text}: a probability is wanted, above 0 and below 1.")
    return delta


def comparator_text(comparator: Comparator, named: dict[int, str]) -> str:
    """The comparator's weights by feature, the largest first."""
    pairs = sorted(
        zip(comparator.columns, comparator.numerators, strict=True),
        key=lambda p: (-abs(p[1]), p[0]),
    )
    shown = [
        named.get(column, str(column)) + (f" ({weight})" if weight != 1 else "")
        for column, weight in pairs[:MOST_SHOWN]
    ]
    more = [f"{len(pairs) - MOST_SHOWN} more"] if len(pairs) > MOST_SHOWN else []
    bias = [f"bias ({comparator.bias})"] if comparator.bias else []
    over = f", over {comparator.denominator}" if comparator.denominator != 1 else ""
    return ", ".join(shown + more + bias) + over


def deliver(
    certificate: Certificate,
    output: str | None,
    how_to_read: list[str],
    named: dict[int, str],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """The certificate to its file, what it says to standard output."""
    from thresher.cli.terminal.speech import say

    if output == "-":
        click.echo(certificate.to_json())
        return
    if output is not None:
        from thresher.storage.atomic_write import atomic_text

        atomic_text(output, certificate.to_json() + "\n")
    if as_json:
        click.echo(json_result("certify", summary(certificate)))
    else:
        click.echo(str(certificate))
        if certificate.witness is not None:
            click.echo(f"compared with {comparator_text(certificate.witness.comparator, named)}")
    if output is not None and not quiet:
        say(f"Check it: {shlex.join(['thresher', 'verify', output, *how_to_read])}")


def summary(certificate: Certificate) -> dict[str, Any]:
    """What a certificate says, in JSON's terms."""
    return {
        "kind": certificate.kind,
        "learner": certificate.learner,
        "rounds": certificate.learned,
        "held_out": certificate.held_out,
        "held_out_mistakes": certificate.held_out_mistakes,
        "mistakes": certificate.mistakes,
        "false_negatives": certificate.false_negatives,
        "false_positives": certificate.false_positives,
        "theorem": certificate.theorem,
        "allowed": certificate.allowed,
        "bounds": {statement.theorem: statement.allows for statement in certificate.bounds},
        "risks": {statement.theorem: statement.allows for statement in certificate.risks},
        **_about_shards(certificate),
        "data_digest": certificate.data_digest,
        "seal": certificate.seal,
    }


def _about_shards(certificate: Certificate) -> dict[str, Any]:
    mixing = certificate.mixing
    return {} if mixing is None else {"shards": mixing.shards, "epochs": mixing.epochs}
