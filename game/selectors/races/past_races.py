"""A player's settled public races."""

from django.db.models import QuerySet

from game.models import Account, Entrant
from game.selectors.boards.ratings import rating_moves
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races import schemas


def races_of(account: Account) -> QuerySet[Entrant]:
    """The account's seats in public races that have been settled."""
    return (
        Entrant.objects.filter(
            account=account,
            left_at=None,
            race__visibility="public",
            race__settled_at__isnull=False,
            race__voided_at=None,
        )
        .select_related("race", "run")
        .prefetch_related("race__rating_changes")
    )


def race_lines(seats: list[Entrant]) -> list[schemas.RaceLine]:
    """Those seats as list entries: the race's terms and its result."""
    races = [one.race_id for one in seats]
    others: dict[str, list[Entrant]] = {race_id: [] for race_id in races}
    found = Entrant.objects.filter(race__in=races, left_at=None)
    for one in found.select_related("account", "ghost__account").order_by("seat"):
        others[one.race_id].append(one)
    steps = {
        (one.race_id, account): moved.change
        for one in seats
        if one.race.rated
        for account, moved in rating_moves(one.race.rating_changes.all()).items()
    }
    return [
        _line(one, others[one.race_id], steps.get((one.race_id, one.account_id)))
        for one in seats
    ]


def _line(one: Entrant, all_seats: list[Entrant], step: int | None) -> schemas.RaceLine:
    race, run = one.race, one.run
    assert run is not None
    assert run.finished_at is not None
    assert run.score is not None
    assert race.settled_at is not None
    return {
        "id": race.id,
        "ruleset": race.ruleset,
        "difficulty": race.difficulty,
        "format": race.format,
        "rated": race.rated,
        "settled_at": as_text(race.settled_at),
        "players": [each.account.name for each in all_seats],
        "place": one.place,
        "score": run.score,
        "elapsed_ms": elapsed_ms(run.started_at, run.finished_at),
        "rating_change": step,
        "run": run.id,
    }
