"""I21: the solver confirms the choice and the difficulty of the newest dailies.

It repeats what the worker did: up to 15 s for each candidate. So only
`verify_invariants --solve DAYS` runs it.
"""

from collections.abc import Iterator

from game.contest.calendar import Band
from game.contest.drawing import (
    Judgement,
    SelectionReason,
    candidate_seed,
    choice_fault,
    day_key,
)
from game.models import Daily
from game.services.analysis.assessments import seed_assess, seed_is_winnable
from game.services.dailies.commitments import label_of
from game.services.maintenance.invariants.breach import Breach
from game.services.runs.dungeons import seed_decrypt


def breaches(*, days: int) -> Iterator[Breach]:
    """Every breach in the dailies of the newest days whose dungeon is chosen."""
    rows = Daily.objects.exclude(dungeon=None)
    newest = rows.order_by("-on").values_list("on", flat=True).distinct()[:days]
    for daily in rows.filter(on__in=list(newest)).select_related("dungeon__assessment"):
        yield from _daily(daily)


def _daily(daily: Daily) -> Iterator[Breach]:
    assert daily.candidate is not None
    master = seed_decrypt(daily.id, daily.master_sealed)
    key = day_key(master, daily.beacon_round, daily.beacon_signature)
    reason = SelectionReason(daily.choice)

    def judge(number: int) -> Judgement:
        seed = candidate_seed(key, number)
        if reason is not SelectionReason.PLANNED:
            return Judgement(seed_is_winnable(daily.ruleset, daily.difficulty, seed))
        assessment = seed_assess(daily.ruleset, daily.difficulty, seed)
        return Judgement(assessment.winnable, Band(assessment.band))

    fault = choice_fault(
        reason=reason, number=daily.candidate, wanted=Band(daily.planned), judge=judge
    )
    if fault is not None:
        yield Breach("I21", str(daily), f"has another dungeon than the rule: {fault}")
    yield from _label(daily, candidate_seed(key, daily.candidate))


def _label(daily: Daily, seed: str) -> Iterator[Breach]:
    """The stored difficulty is the one that this version of the analysis measures."""
    stored = getattr(daily.dungeon, "assessment", None)
    if stored is None:
        return
    measured = seed_assess(daily.ruleset, daily.difficulty, seed)
    if measured.version != stored.version:
        return  # measured by an older version, which may differ
    label = {**measured._asdict(), "difficulty": daily.difficulty}
    if label != label_of(stored):
        yield Breach("I21", str(daily), "has another difficulty than the solver finds")
