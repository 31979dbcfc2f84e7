"""The lab's application: which address shows what. Every screen has a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from secrets import token_hex
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher import __version__
from thresher.errors import RequestError, ThresherError
from thresher.lab import game, step, taken_home, your_data
from thresher.lab.background import frames_of, in_thread
from thresher.lab.files import ReadFile
from thresher.lab.game.moves import words_of
from thresher.lab.live import LiveService
from thresher.lab.quality import explained, quality
from thresher.lab.race import RaceFrame, race
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.replies import LastResort, events, refused, reply, wanted, whole
from thresher.lab.saved_page import saved_page
from thresher.lab.security import DOWNLOAD_POLICY, Guard
from thresher.lab.shelf import Shelf
from thresher.lab.streams import kinds
from thresher.learners.registry import RECORDS

#: What the lab may be asked for by name, and what it is; nothing else of the folder is served.
PAGES = {
    "": ("index.html", "text/html"),
    "lab.js": ("lab.js", "text/javascript"),
    "lab.css": ("lab.css", "text/css"),
    "inter.woff2": ("inter.woff2", "font/woff2"),
}


def build_app(
    token: str,
    shelf: Shelf | None = None,
    start: str = "mushrooms:order=1",
    live: LiveService | None = None,
) -> Starlette:
    """The lab behind a token.

    Parameters
    ----------
    token
        The first part of every path.
    shelf
        Where streams and runs are kept.
    start
        The stream that is shown first.
    live
        The service that can be watched; the only one.
    """
    app = Starlette(
        routes=[
            *(Route(f"/{path}", _page) for path in PAGES),
            Route("/api/start", _start),
            Route("/api/step", _step),
            Route("/api/step/rounds", _rounds),
            Route("/api/step/evidence", _evidence),
            Route("/api/step/weight", _weight),
            Route("/api/step/mistake", _mistake),
            Route("/api/step/page", _saved),
            Route("/api/race", _race),
            Route("/api/live", _live),
            Route("/api/live/models", _live_models),
            Route("/api/live/page", _saved_live),
            Route("/api/race/page", _saved_race),
            Route("/api/data", _upload, methods=["POST"]),
            Route("/api/data/path", _path, methods=["POST"]),
            Route("/api/data/look", _look),
            Route("/api/data/again", _again),
            Route("/api/data/quality", _quality),
            Route("/api/data/row", _row),
            Route("/api/data/elsewhere", _elsewhere),
            Route("/api/data/model", _model),
            Route("/api/data/page", _saved_data),
            Route("/api/data/report", _report),
            Route("/api/data/certificate", _certificate),
            Route("/api/game/page", _saved_game),
            Route("/api/game/{which}", _game),
        ],
        middleware=[Middleware(Guard, token=token), Middleware(LastResort)],
        exception_handlers={ThresherError: refused},
    )
    app.state.shelf = shelf or Shelf()
    app.state.start, app.state.live = start, live
    return app


async def _page(request: Request) -> Response:
    name, kind = PAGES[request.url.path.rpartition("/")[2]]
    return Response((files("thresher.lab") / "static" / name).read_bytes(), media_type=kind)


async def _start(request: Request) -> Response:
    live = request.app.state.live
    return reply(
        {
            "version": __version__,
            "live": None if live is None else {"address": live.address, "model": live.model},
            "stream": request.app.state.start,
            "kinds": kinds(),
            "learners": [r.name for r in RECORDS if r.needs is None and not r.several],
            "several": [r.name for r in RECORDS if r.needs is None and r.several],
        }
    )


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


async def _run(request: Request) -> RecordedRun:
    return await in_thread(
        _shelf(request).run, wanted(request, "stream"), wanted(request, "learner")
    )


async def _runs(request: Request) -> list[RecordedRun]:
    stream, learners = wanted(request, "stream"), request.query_params.getlist("learner")
    if not 1 <= len(learners) <= step.MOST_LEARNERS:
        raise RequestError(f"the lab shows 1 to {step.MOST_LEARNERS} learners at a time.")
    return [await in_thread(_shelf(request).run, stream, learner) for learner in learners]


async def _step(request: Request) -> Response:
    runs = await _runs(request)
    return reply(step.overview(runs[0].stream, runs))


async def _rounds(request: Request) -> Response:
    run = await _run(request)
    first, count = whole(request, "first", 1), whole(request, "count", 1)
    return reply(await in_thread(step.frames, run, first, count))


async def _evidence(request: Request) -> Response:
    return reply(await in_thread(step.evidence, await _run(request)))


async def _weight(request: Request) -> Response:
    run = await _run(request)
    column, label = whole(request, "column", 0), request.query_params.get("label")
    return reply(await in_thread(step.weight_history, run, column, label))


async def _mistake(request: Request) -> Response:
    run = await _run(request)
    at, direction = whole(request, "t", 1), whole(request, "direction", 1)
    return reply({"t": step.next_mistake(run, at, direction)})


async def _saved(request: Request) -> Response:
    runs = await _runs(request)
    data: dict[str, Any] = {
        "overview": step.overview(runs[0].stream, runs),
        "view": request.query_params.get("view", ""),
        **await in_thread(step.saved, runs, whole(request, "t", 1)),
    }
    return _download(saved_page(runs[0].stream.title, data), "thresher-step.html", "text/html")


def _frames(request: Request) -> Iterator[RaceFrame]:
    learners = request.query_params.getlist("learner")
    seeds = whole(request, "seeds", 1)
    return race(wanted(request, "stream"), learners, _shelf(request).files, seeds)


async def _race(request: Request) -> Response:
    return events(_frames(request))


def _service(request: Request) -> LiveService:
    live: LiveService | None = request.app.state.live
    if live is None:
        raise RequestError(
            "the lab watches no service: it was started without one.",
            "Start it with thresher lab --live http://127.0.0.1:8080.",
            code="request.no_service",
        )
    return live


async def _live(request: Request) -> Response:
    return events(_service(request).watch(wanted(request, "model")))


async def _live_models(request: Request) -> Response:
    return reply({"models": await in_thread(_service(request).models)})


async def _saved_live(request: Request) -> Response:
    """The model as it is now."""
    states = _service(request).watch(wanted(request, "model"))
    frame = await in_thread(next, states)
    await in_thread(states.close)
    return _recording(request, frame.model, {"live": frame}, "thresher-live.html")


async def _saved_race(request: Request) -> Response:
    last = [frame async for frame in frames_of(_frames(request))][-1]
    data = {"race": last, "view": request.query_params.get("view", "")}
    return _download(saved_page(last.title, data), "thresher-race.html", "text/html")


async def _upload(request: Request) -> Response:
    path, name = await your_data.received(request, _shelf(request).folder)
    return await _given(request, path, name)


async def _path(request: Request) -> Response:
    return await _given(request, *your_data.by_path(await your_data.path_in(request)))


async def _given(request: Request, path: str, name: str) -> Response:
    found = await in_thread(your_data.given, _shelf(request), path, name, {}, key := token_hex(4))
    return reply({"key": key, "look": found.look})


async def _look(request: Request) -> Response:
    found = _shelf(request).file(wanted(request, "key"))
    return reply({"look": found.look, "said": found.said})


async def _again(request: Request) -> Response:
    shelf, key = _shelf(request), wanted(request, "key")
    said = your_data.said_in(wanted(request, "said"))
    found = await in_thread(your_data.given, shelf, *shelf.place(key), said, key)
    return reply({"key": key, "look": found.look})


async def _quality(request: Request) -> Response:
    return reply(await in_thread(quality, await _run(request)))


async def _row(request: Request) -> Response:
    return reply(await in_thread(explained, await _run(request), whole(request, "t", 1)))


def _learned(request: Request) -> tuple[ReadFile, str]:
    return _shelf(request).file(wanted(request, "key")), wanted(request, "learner")


async def _elsewhere(request: Request) -> Response:
    return reply(_elsewhere_of(*_learned(request)))


def _elsewhere_of(read: ReadFile, learner: str) -> dict[str, Any]:
    return {
        "commands": taken_home.commands(read, learner),
        "python": taken_home.program(read, learner),
    }


async def _saved_data(request: Request) -> Response:
    read, learner = _learned(request)
    run = await in_thread(_shelf(request).run, read.stream.text, learner)
    frames = race(read.stream.text, read.look.learners, _shelf(request).files)
    answers = {
        "data/look": {"look": read.look, "said": read.said},
        "race": [frame async for frame in frames_of(frames)][-1],
        "data/quality": await in_thread(quality, run),
        "data/row": await in_thread(explained, run, whole(request, "row", len(run))),
        "data/elsewhere": _elsewhere_of(read, learner),
        "step/evidence": await in_thread(step.evidence, run),
    }
    return _recording(request, read.look.name, answers, "thresher-data.html")


def _recording(request: Request, title: str, answers: dict[str, Any], name: str) -> Response:
    """A page with all that it would ask the lab for."""
    data = {"view": request.query_params.get("view", ""), "answers": answers}
    return _download(saved_page(title, data), name, "text/html")


async def _model(request: Request) -> Response:
    data = await in_thread(taken_home.model_bytes, *_learned(request))
    return _download(data, "model.thr", "application/octet-stream")


async def _report(request: Request) -> Response:
    page = await in_thread(taken_home.report_page, *_learned(request))
    return _download(page, "report.html", "text/html")


async def _certificate(request: Request) -> Response:
    run = await _run(request)
    certificate = await in_thread(run.certificate)
    if certificate is None:
        raise RequestError("the stream is too long to be certified while you wait.")
    return _download(certificate.to_json() + "\n", "run.cert.json", "application/json")


def _download(data: bytes | str, name: str, kind: str) -> Response:
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "content-security-policy": DOWNLOAD_POLICY,
    }
    return Response(data, media_type=kind, headers=headers)


async def _game(request: Request) -> Response:
    moves = request.query_params.get("moves", "")
    return reply(_played(request, request.path_params["which"], moves))


async def _saved_game(request: Request) -> Response:
    """The game after each of its moves."""
    which, words = wanted(request, "which"), words_of(request.query_params.get("moves", ""))
    after = [".".join(words[:k]) for k in range(len(words) + 1)]
    answers = {moves: _played(request, which, moves) for moves in after}
    return _recording(request, "Game", answers, "thresher-game.html")


def _played(request: Request, which: str, moves: str) -> dict[str, Any]:
    if which == "adversary":
        return game.adversary(wanted(request, "margin"), wanted(request, "learner"), moves)
    if which == "learner":
        return game.learner(wanted(request, "kind"), wanted(request, "setting"), moves)
    if which == "halving":
        return game.halving(wanted(request, "kind"), moves)
    if which == "experts":
        return game.experts(whole(request, "count", 8), wanted(request, "beta"), moves)
    raise RequestError(f"there is no game {which[:20]!r}.")
