"""I7: ratings equal the last change in the ledger, and changes follow from races."""

from collections import defaultdict
from collections.abc import Iterator

from game.contest.rating import INITIAL_SKILL, Skill, rate_race
from game.models import Race, Rating, RatingChange
from game.services.boards.ratings import rated_entrants, skill_after, skill_before
from game.services.maintenance.invariants.breach import Breach

_CLOSE = 1e-6
_Chain = tuple[str, str, str]


def breaches() -> Iterator[Breach]:
    """Every breach in ratings."""
    current: dict[_Chain, Skill] = {}
    counted: dict[_Chain, int] = defaultdict(int)
    by_race: dict[str, list[RatingChange]] = defaultdict(list)
    for change in RatingChange.objects.order_by("id").iterator():
        chain = (change.account_id, change.ruleset, change.pool)
        if skill_before(change) != current.get(chain, INITIAL_SKILL):
            row = f"change {change.pk}"
            yield Breach("I7", row, "does not begin where the one before it ended")
        current[chain] = skill_after(change)
        if change.act_id is not None:  # `moderation` checks corrections
            continue
        counted[chain] += 1
        by_race[change.race_id].append(change)
    for race_id, changes in by_race.items():
        yield from _race(race_id, changes)
    yield from _current(current, counted)
    yield from _unrated_races(set(by_race))


def _race(race_id: str, changes: list[RatingChange]) -> Iterator[Breach]:
    row = f"race {race_id}"
    accounts = [change.account_id for change in changes]
    if len(accounts) != len(set(accounts)):
        yield Breach("I7", row, "was applied twice")
    # Old changes have place 0 for disqualified players, who were rated as last.
    last = 1 + max(change.place for change in changes)
    skills = rate_race(
        [skill_before(change) for change in changes],
        [change.place or last for change in changes],
    )
    for change, skill in zip(changes, skills, strict=True):
        far = max(abs(a - b) for a, b in zip(skill_after(change), skill, strict=True))
        if far > _CLOSE:
            yield Breach("I7", row, f"changed {change.account_id} by another amount")


def _current(
    current: dict[_Chain, Skill], counted: dict[_Chain, int]
) -> Iterator[Breach]:
    for rating in Rating.objects.iterator():
        chain = (rating.account_id, rating.ruleset, rating.pool)
        skill = Skill(rating.rating, rating.deviation, rating.volatility)
        if skill != current.pop(chain, None) or rating.races != counted[chain]:
            yield Breach("I7", f"rating {rating.pk}", "is not its ledger's last line")
    for chain in current:
        yield Breach("I7", f"ledger of {chain}", "has no rating")


def _unrated_races(applied: set[str]) -> Iterator[Breach]:
    """Every settled rated race has changed ratings."""
    settled = Race.objects.filter(rated=True, settled_at__isnull=False, voided_at=None)
    for race in settled.exclude(id__in=applied):
        entrants = race.entrants.filter(left_at=None).select_related("account")
        if len(rated_entrants(list(entrants))) > 1:
            yield Breach("I7", f"race {race.id}", "was never applied")
