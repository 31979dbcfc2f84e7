"""A server such as people write: FastAPI over scikit-learn; for `benchmarks.service` to compare."""

from __future__ import annotations

import random
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import SGDClassifier


def main() -> None:
    """Learn a little, listen, say where."""
    hasher, dice = FeatureHasher(2**18), random.Random(1)
    model = SGDClassifier(loss="perceptron")
    rows = [{f"word-{k}": 1.0 for k in dice.sample(range(20_000), 30)} for _ in range(1_000)]
    model.fit(hasher.transform(rows), [dice.choice([-1, 1]) for _ in rows])

    def predict(row: dict[str, dict[str, float]]) -> dict[str, Any]:
        found = hasher.transform([row["features"]])
        return {
            "prediction": int(model.predict(found)[0]),
            "score": float(model.decision_function(found)[0]),
        }

    app = FastAPI()
    app.post("/predict")(predict)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        config = uvicorn.Config(app, log_level="critical", access_log=False)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
