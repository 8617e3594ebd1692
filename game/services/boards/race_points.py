"""Awards the points and records of settled races.

`game.contest.race_points` says which races count and what they give. The points of an
account's day depend on all its races of that day, so every change of a race (settled,
voided, places corrected) computes the day's lines of its entrants again.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from game.contest.calendar import daily_window, day_of
from game.contest.race_points import (
    PlacedEntrant,
    SettledRace,
    account_day_points,
    gives_points,
)
from game.models import Daily, Entrant, PointsLine, Race, Run
from game.services.boards.points import point_boards_lock, points_lines_replace
from game.services.boards.records import counted_run, records_update, run_board_pool
from game.services.core.retry import retry_transaction
from game.services.runs.verification import verified_runs

# How far back to look for settled races without points.
_LOOK_BACK = timedelta(days=3)


def races_award_points(*, at: datetime) -> int:
    """Award the points and records of recently settled races; how many races."""
    # Points lines do not tell: another race of the day may have written them.
    uncounted = _placed_players().filter(race=OuterRef("pk"), run__ranked=False)
    due = counted_races().filter(Exists(uncounted), settled_at__gt=at - _LOOK_BACK)
    return sum(race_award_points(race) for race in due.order_by("settled_at", "id"))


def counted_races() -> QuerySet[Race]:
    """The settled races that give points and records."""
    return Race.objects.filter(
        rated=True, is_paired=True, voided_at=None, settled_at__isnull=False
    )


@retry_transaction
@transaction.atomic
def race_award_points(race: Race) -> int:
    """Award the points and records of one settled race; 1 if there were any, else 0."""
    race_points_update(race)
    return int(race_count_runs(race) > 0)


@transaction.atomic
def race_points_update(race: Race) -> None:
    """Compute again what the race's players get on its day, from all their races."""
    if race.settled_at is None or not race.rated:
        return
    players = Entrant.objects.filter(race=race, kind=Entrant.Kind.PLAYER)
    day_points_update(
        ruleset=race.ruleset,
        on=day_of(race.settled_at),
        accounts=set(players.values_list("account_id", flat=True)),
    )


@transaction.atomic
def day_points_update(
    *, ruleset: str, on: date, accounts: Collection[str] | None = None
) -> None:
    """Replace the points lines from races of a day; of these accounts, or of all."""
    point_boards_lock(ruleset=ruleset, on=on)
    due = {
        (line.source, line.account_id): line
        for line in lines_due(ruleset=ruleset, on=on, accounts=accounts)
    }
    same, stale = set(), []
    for line in lines_stored(ruleset=ruleset, on=on, accounts=accounts):
        key = line.source, line.account_id
        wanted = due.get(key)
        if wanted and (wanted.pool, wanted.points) == (line.pool, line.points):
            same.add(key)
        else:
            stale.append(line)
    fresh = [line for key, line in due.items() if key not in same]
    points_lines_replace(stale, fresh, ruleset=ruleset, on=on)


def lines_stored(
    *, ruleset: str, on: date, accounts: Collection[str] | None = None
) -> QuerySet[PointsLine]:
    """The stored lines of a day that do not come from its daily."""
    daily = Daily.objects.filter(on=on, ruleset=ruleset)
    lines = PointsLine.objects.filter(ruleset=ruleset, on=on)
    if accounts is not None:
        lines = lines.filter(account__in=accounts)
    return lines.exclude(source__in=daily.values("id")).order_by("id")


def lines_due(
    *, ruleset: str, on: date, accounts: Collection[str] | None = None
) -> list[PointsLine]:
    """The lines that the races of a day give, not saved; of these accounts, or all."""
    lines = []
    races = _races_of_day(ruleset, on, accounts)
    for account, own in _by_account(races).items():
        if accounts is not None and account not in accounts:
            continue
        points = account_day_points(account, own)
        lines += [
            PointsLine(
                account_id=account,
                source=race.id,
                pool=entrant.pool,
                ruleset=ruleset,
                on=on,
                points=points[race.id],
            )
            for race in own
            for entrant in race.entrants
            if entrant.account == account
        ]
    return lines


def _by_account(races: Sequence[SettledRace]) -> dict[str, list[SettledRace]]:
    by_account: dict[str, list[SettledRace]] = defaultdict(list)
    for race in races:
        for entrant in race.entrants:
            by_account[entrant.account].append(race)
    return by_account


def _races_of_day(
    ruleset: str, on: date, accounts: Collection[str] | None
) -> list[SettledRace]:
    """The counted races of a day; only those of the accounts, if any are given."""
    day = daily_window(on)
    races = counted_races().filter(
        ruleset=ruleset, settled_at__gte=day.opens_at, settled_at__lt=day.closes_at
    )
    if accounts is not None:
        seats = Entrant.objects.filter(account__in=accounts)
        races = races.filter(id__in=seats.values("race_id"))
    placed: dict[str, list[Entrant]] = defaultdict(list)
    times: dict[str, datetime] = {}
    for entrant in _placed_players().filter(race__in=races).select_related("race"):
        assert entrant.race.settled_at is not None
        times[entrant.race_id] = entrant.race.settled_at
        placed[entrant.race_id].append(entrant)
    return [
        SettledRace(
            race_id,
            times[race_id],
            tuple(
                PlacedEntrant(
                    entrant.account_id, run_board_pool(entrant.run), entrant.place
                )
                for entrant in entrants
                if entrant.place is not None and entrant.run is not None
            ),
        )
        for race_id, entrants in placed.items()
    ]


def _placed_players() -> QuerySet[Entrant]:
    return Entrant.objects.filter(
        kind=Entrant.Kind.PLAYER, place__isnull=False, run__isnull=False
    ).select_related("run")


def race_count_runs(race: Race) -> int:
    """Count the runs of a race's placed players for records; how many players.

    Counts none if the race is not settled, is void, or gives no points.
    """
    counts = gives_points(is_rated=race.rated, is_paired=race.is_paired)
    if not counts or race.settled_at is None or race.voided_at is not None:
        return 0
    placed = _placed_players().filter(race=race).values_list("run_id", flat=True)
    runs = Run.objects.filter(id__in=list(placed))
    ranked = runs.update(ranked=True)
    proved = [run for run, _ in verified_runs(runs.filter(voided_at=None))]
    Run.objects.filter(id__in=[run.id for run in proved], counted_at=None).update(
        counted_at=race.settled_at
    )
    records_update(counted_run(run) for run in proved)
    return ranked
