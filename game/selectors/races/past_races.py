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
    races = [seat.race_id for seat in seats]
    others: dict[str, list[Entrant]] = {race_id: [] for race_id in races}
    entrants = Entrant.objects.filter(race__in=races, left_at=None)
    for entrant in entrants.select_related("account", "ghost__account").order_by(
        "seat"
    ):
        others[entrant.race_id].append(entrant)
    steps = {
        (seat.race_id, account): moved.change
        for seat in seats
        if seat.race.rated
        for account, moved in rating_moves(seat.race.rating_changes.all()).items()
    }
    return [
        _line(seat, others[seat.race_id], steps.get((seat.race_id, seat.account_id)))
        for seat in seats
    ]


def _line(
    seat: Entrant, all_seats: list[Entrant], step: int | None
) -> schemas.RaceLine:
    race, run = seat.race, seat.run
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
        "place": seat.place,
        "score": run.score,
        "elapsed_ms": elapsed_ms(run.started_at, run.finished_at),
        "rating_change": step,
        "run": run.id,
    }
