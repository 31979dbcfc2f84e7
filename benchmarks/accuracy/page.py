"""What was found, as the tables of `docs/accuracy.md` and what they say in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks import machine
from benchmarks.accuracy.competitors import OURS
from benchmarks.accuracy.groups import Group
from benchmarks.accuracy.results import BEST_MEMBER, MEMBER, Result

BEST_PEER = "the best of all peers"
#: Words given in other ways than as counts have a table of their own, as not every set has any.
OTHER_FORMS = ("VW presence ", "VW repeated ")


def section(group: Group, results: Mapping[str, Result]) -> str:
    """What the page says of a group, losses included."""
    met = met_in([group], results)
    if not met:
        return "Nothing measured."
    peers = peers_of(met)
    forms = [who for who in peers if who.startswith(OTHER_FORMS)]
    plain = [who for who in peers if who not in forms]
    parts = ["\n".join(verdicts(met, peers))]
    if group.listed:
        counted = [result for result in met if any(who in result.errors for who in forms)]
        parts.insert(0, overview(met, peers))
        parts.append(everybody(met, [OURS, BEST_MEMBER, *plain]))
        parts += [everybody(counted, [OURS, *forms])] if counted else []
    return "\n\n".join(parts)


def in_short(groups: Sequence[Group], results: Mapping[str, Result]) -> str:
    """One line a group, and one for all that are listed: the Committee next to the best peer."""
    lines = [
        "| sets | at or below the best peer | ratio on average | at worst |",
        "|---|--:|--:|--:|",
    ]
    listed = [group for group in groups if group.listed]
    for name, members in [*((g.name, [g]) for g in groups), ("all but imbalanced", listed)]:
        met = met_in(members, results)
        ratios = [result.ratio(OURS, result.best(peers_of(met))) for result in met]
        if ratios:
            wins = f"{sum(ratio <= 1.0 for ratio in ratios)} of {len(ratios)}"
            mean = np.exp(np.mean(np.log(ratios)))
            lines.append(f"| {name} | {wins} | {mean:.3f} | {max(ratios):.3f} |")
    return "\n".join(lines)


def met_in(groups: Iterable[Group], results: Mapping[str, Result]) -> list[Result]:
    """The sets of some groups on which there is ours and somebody else, in the orders of ours."""
    known = [results[name] for group in groups for name in group.readers if name in results]
    ours = [result.in_orders_of(OURS) for result in known if OURS in result.errors]
    return [result for result in ours if peers_of([result])]


def peers_of(results: Iterable[Result]) -> list[str]:
    """Everybody else who has played, in the order in which they are met."""
    met = dict.fromkeys(who for result in results for who in result.errors)
    return [who for who in met if who != OURS and not who.startswith(MEMBER)]


def shown(result: Result) -> str:
    """The name of a set without its folder."""
    return result.name.rpartition("/")[2]


def overview(results: Sequence[Result], peers: Sequence[str]) -> str:
    """One line a set: the Committee and the best of all the others."""
    heads = ["set", "rows", "features", "classes", OURS, "best peer", "its error", "ratio"]
    lines = ["| " + " | ".join(heads) + " |", "|---|--:|--:|--:|--:|---|--:|--:|"]
    for result in results:
        best = result.best(peers)
        sizes = [f"{result.rows:,}", f"{result.features:,}", str(result.classes)]
        errors = [cell(result, OURS, spread=True), best, cell(result, best, spread=True)]
        ratio = f"{result.ratio(OURS, best):.3f}"
        lines.append("| " + " | ".join([shown(result), *sizes, *errors, ratio]) + " |")
    return "\n".join(lines)


def everybody(results: Sequence[Result], columns: Sequence[str]) -> str:
    """One line a set: the mean error of each."""
    heads = ["set", *columns]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * len(columns)]
    for result in results:
        cells = [cell(result, who) for who in columns]
        lines.append("| " + " | ".join([shown(result), *cells]) + " |")
    return "\n".join(lines)


def cell(result: Result, who: str, spread: bool = False) -> str:
    """Mean (and spread) in percent, and how many orders if fewer than the Committee's."""
    who = result.best(result.members()) if who == BEST_MEMBER else who
    errors = result.errors.get(who)
    if not errors:
        return "-"
    varied = f" ± {100 * np.std([*errors.values()]):.2f}" if spread and len(errors) > 1 else ""
    fewer = f" ({len(errors)})" if len(errors) < len(result.errors[OURS]) else ""
    return f"{100 * result.mean(who):.2f}{varied}{fewer}"


def verdicts(results: Sequence[Result], peers: Sequence[str]) -> list[str]:
    """In words: how often the Committee is at or below each of the others, and by how much."""
    best = [(result, result.best(peers)) for result in results]
    lines = [verdict(BEST_PEER, best), *losses(best)]
    lines += [verdict(who, [(r, who) for r in results if who in r.errors]) for who in peers]
    return [*lines, verdict(BEST_MEMBER, [(r, r.best(r.members())) for r in results])]


def verdict(name: str, met: Iterable[tuple[Result, str]]) -> str:
    """One line: the Committee next to one other on each set."""
    ratios = {shown(result): result.ratio(OURS, other) for result, other in met}
    worst = max(ratios, key=ratios.__getitem__)
    return (
        f"* next to {name}: at or below on {sum(ratio <= 1.0 for ratio in ratios.values())} of "
        f"{len(ratios)} sets; ratio {np.exp(np.mean(np.log([*ratios.values()]))):.3f} on average, "
        f"{ratios[worst]:.3f} at worst ({worst})"
    )


def losses(best: Iterable[tuple[Result, str]]) -> list[str]:
    """One line that names the sets on which somebody else is better, if there are any."""
    lost = [(r.ratio(OURS, other), shown(r), other) for r, other in best]
    named = [f"{name} ({ratio:.3f}, {other})" for ratio, name, other in sorted(lost) if ratio > 1]
    return [f"* above it on {len(named)}: {', '.join(named)}"] if named else []


def measured_with() -> str:
    """Versions and processor."""
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions().items())
    return f"Measured with {versions}; {machine.processor()}."
