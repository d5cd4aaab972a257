"""Why an expected intent did not surface, and what those that surfaced for nothing are nearest to."""

from __future__ import annotations

from rich.table import Table

from benchmarks.gold import Gold
from benchmarks.intent_measures import SHARED, GoldIntent, bound, in_time, jaccard, matched, overlaps, passed
from benchmarks.life import Lived


def misses_of(model: str, gold: Gold, lived: Lived) -> Table:
    """What became of each expected intent."""
    table = Table(title=f"{model}: expected intents of {gold.name}", show_lines=True)
    for name in ("intent", "right", "why"):
        table.add_column(name)
    pairs = matched(gold.intents, lived.intents, gold.moments)
    for place, wanted in enumerate(gold.intents):
        right = "yes" if place in pairs else "no"
        table.add_row(f"{wanted.name} {wanted.label}", right, why(gold, lived, place, pairs))
    return table


def why(gold: Gold, lived: Lived, place: int, pairs: dict[int, int]) -> str:
    """In words, how an expected intent came out."""
    wanted = gold.intents[place]
    moments = gold.moments
    if place in pairs:
        intent = lived.intents[pairs[place]]
        late = passed(intent.at, moments) - 1 - list(moments).index(wanted.emerges)
        return f"{late} events after it could: {intent.title!r} ({intent.status})"
    given = bound(wanted, moments)
    said = []
    for number, intent in enumerate(lived.intents):
        share = jaccard(wanted.evidence, intent.evidence)
        shared = sorted(wanted.evidence & intent.evidence)
        if number in pairs.values() or not shared:
            continue
        if overlaps(wanted, intent.evidence):
            early = intent.at < given.opens
            assert not in_time(intent.at, given)
            said.append(f"too {'early' if early else 'late'}, after {last_event(gold, intent.at)}: {intent.title!r}")
        else:
            said.append(f"wrong evidence (Jaccard {share:.2f}, shares {' '.join(shared)}): {intent.title!r}")
    return "\n".join([*said, *concepts_about(gold, lived, wanted)])


def concepts_about(gold: Gold, lived: Lived, wanted: GoldIntent) -> list[str]:
    """The two concepts that hold most of an expected intent's evidence, and how near they came to their bar in time."""
    about = {key: set(concept.events) & wanted.evidence for key, concept in lived.concepts.items()}
    best = sorted((key for key in about if about[key]), key=lambda key: -len(about[key]))[:2]
    if not best:
        return ["no concept holds any of its evidence"]
    said = []
    given = bound(wanted, gold.moments)
    for key in best:
        concept = lived.concepts[key]
        stands = [s for s in lived.stands if lived.survivors.get(s.concept) == key and in_time(s.at, given)]
        held = f"{len(about[key])} of {len(wanted.evidence)} in {concept.title!r} ({len(concept.events)} events)"
        if not stands:
            said.append(f"{held}: never looked at in its time")
            continue
        top = max(stands, key=lambda s: (s.readiness, s.at))
        verdict = "ready, but covered by an open intent or by too few events" if (
            top.readiness >= top.theta and top.cues >= SHARED
        ) else f"below theta {top.theta:.2f}" if top.readiness < top.theta else "too few cues"  # fmt: skip
        said.append(
            f"{held}: {verdict}: readiness {top.readiness:.2f} (density {top.density:.2f}, pressure {top.pressure:.2f},"
            f" {top.cues} cues) after {last_event(gold, top.at)}"
        )
    return said


def alarms_of(model: str, gold: Gold, lived: Lived) -> Table:
    """The intents that are right for nothing."""
    table = Table(title=f"{model}: false alarms of {gold.name}", show_lines=True)
    for name in ("intent", "surfaced after", "evidence", "nearest expected", "status"):
        table.add_column(name)
    pairs = matched(gold.intents, lived.intents, gold.moments)
    for number, intent in enumerate(lived.intents):
        if number in pairs.values():
            continue
        near = max(gold.intents, key=lambda wanted: jaccard(wanted.evidence, intent.evidence), default=None)
        told = "" if near is None else f"{near.name} {jaccard(near.evidence, intent.evidence):.2f}"
        table.add_row(intent.title, last_event(gold, intent.at), " ".join(sorted(intent.evidence)), told, intent.status)
    return table


def last_event(gold: Gold, moment: object) -> str:
    """The last event that had happened by a moment."""
    return max((key for key, at in gold.moments.items() if at <= moment), default="nothing")  # type: ignore[operator]
