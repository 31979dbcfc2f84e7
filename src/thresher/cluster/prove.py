"""`thresher.cluster.certify` and `thresher.cluster.verify`: what the commands do, for programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from thresher.cluster.proving import DEADLINE, certify_combined, combined_run, verify_on
from thresher.cluster.train import engine_for
from thresher.errors import NotCertifiableError
from thresher.models.file import load_model
from thresher.models.input_data import InputData, Path
from thresher.models.model import Model
from thresher.verifier import Certificate, Verdict


def certify(
    model: Model | Path,
    files: Path | Iterable[Path],
    *,
    client: Any = None,
    witness: Any = None,
    deadline: float = DEADLINE,
    ignore_importance: bool = False,
    **reading: Any,
) -> Certificate:
    """The certificate of a model whose shards learned apart.

    Shards and epochs are played again, and must make the mistakes that the model's history has, and
    end with its numbers, bit for bit. The certificate does not depend on the cluster.

    Parameters
    ----------
    model
        A model of :func:`thresher.cluster.train`, or its file.
    files
        The data it was trained on.
    client
        As for :func:`thresher.cluster.train`; None: everything happens in this process.
    witness
        A comparator to use instead of searching for one, as for :func:`thresher.certify`.
    deadline
        How many seconds one question to all shards may take.
    ignore_importance, reading
        As for :func:`thresher.train`.

    Examples
    --------
    >>> import pathlib, tempfile, thresher.cluster
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "tiny.svm"
    >>> _ = file.write_text("1 0:1\\n0 1:1\\n0 1:1 2:1\\n" * 4)
    >>> model = thresher.cluster.train(file, "perceptron", n_features=4, shards=2, epochs=2)
    >>> certificate = certify(model, file)
    >>> print(certificate)
    perceptron: 2 mistakes in 24 rounds
    2 shards learned apart in 2 epochs, combined by average after each
    ParameterMixing of Novikoff allows 4 (hindsight)
    >>> print(verify(certificate, file, model=model))
    data      matches
    counted   2 mistakes in 24 rounds, as claimed
              2 shards learned apart in 2 epochs, combined by average after each
    proven    at most 4 mistakes (ParameterMixing of Novikoff)
    the claim holds
    """
    if not isinstance(model, Model):
        model = load_model(os.fspath(model))
    run = combined_run(model)
    if run is None:
        raise NotCertifiableError(
            "the model was trained on one machine: thresher.certify is for it."
        )
    engine = engine_for(client)
    try:
        return certify_combined(
            model,
            run,
            InputData.described(files, **reading),
            engine=engine,
            witness=witness,
            deadline=deadline,
            ignore_importance=ignore_importance,
        )
    finally:
        engine.close()


def verify(  # noqa: PLR0913  (each is an option of the command, and has a default)
    certificate: Certificate | Path,
    files: Path | Iterable[Path],
    *,
    client: Any = None,
    model: Any = None,
    trusted: Mapping[str, str] | None = None,
    reader: str = "auto",
    shards: int | None = None,
    deadline: float = DEADLINE,
    **reading: Any,
) -> Verdict:
    """The verdict on a certificate, of shards or of one learner, with the rows on workers.

    It is the one of :func:`thresher.verify`, to the letter.

    Parameters
    ----------
    certificate
        The claim, or its file.
    files
        The data it speaks of.
    client, deadline
        As for :func:`certify`.
    model, trusted
        A model or learner that must be what the run ends with; keys one of which must have signed.
    reader
        "own": the verifier's own reader of svmlight; "streams": that of all commands; "auto": the
        own one for svmlight.
    shards
        Into how many parts files are cut; nothing depends on it.
    reading
        As for :func:`thresher.train`.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.load(os.fspath(certificate))
    engine = engine_for(client)
    try:
        return verify_on(
            certificate,
            InputData.described(files, **reading),
            engine,
            reader=reader,
            model=model.learner if isinstance(model, Model) else model,
            trusted=trusted,
            n_shards=shards,
            deadline=deadline,
        )
    finally:
        engine.close()
