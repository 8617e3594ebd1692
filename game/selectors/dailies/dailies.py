"""The JSON of dailies: one daily, the archive, the coming ones, an account's year.

Seed, master and assessment are shown only once the board is settled. The caller passes
the decrypted seed; nothing here can decrypt one.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple, cast

from django.db.models import Count, F, Q

from game.contest.badges import BADGES
from game.contest.calendar import daily_phase, daily_window, day_number, day_of
from game.contest.ranked_attempts import (
    UnrankedReason,
    explain_unranked,
    may_be_ranked,
)
from game.contest.ranking import percentile
from game.contest.streaks import build_streak, current_length, freeze_ready_on
from game.models import (
    Assessment,
    Daily,
    DailyDigest,
    EarnedBadge,
    Run,
)
from game.rules.schemas import RunStatus
from game.selectors.boards.bridged_days import bridged_days
from game.selectors.boards.entries import own_line, rank_of, total_of
from game.selectors.boards.leaderboards import BoardVisibility, board_find
from game.selectors.core.times import as_text
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.commitments import beacon_show, chain_entries, chain_head


class RevealedSeeds(NamedTuple):
    """The revealed secrets of a settled daily: its seed and its master."""

    seed: str
    master: str


def daily_show(
    daily: Daily,
    *,
    at: datetime,
    revealed: RevealedSeeds | None,
    ranking: dailies_schemas.DailyRanking | None,
    you: dailies_schemas.DailyYou | None,
) -> dailies_schemas.Daily:
    """A daily as everybody may see it now; pass `revealed` if it is settled."""
    digest = DailyDigest.objects.filter(daily=daily).order_by("-revision").first()
    times = daily_window(daily.on)
    return {
        **daily_line(daily, at=at, players=player_counts([daily]).get(daily.id, 0)),
        "ends_at": as_text(times.ends_at),
        "settles_at": as_text(daily.settlement_due_at),
        "seed": revealed.seed if revealed else None,
        "master": revealed.master if revealed else None,
        "candidate": daily.candidate if revealed else None,
        "choice": daily.choice or None,
        "assessment": _assessment(daily) if revealed else None,
        "digest": digest.digest if digest else None,
        "revision": digest.revision if digest else None,
        "ranking": ranking,
        "beacon": beacon_show(daily),
        "chain": {"head": chain_head(), "entries": chain_entries(daily)},
        "you": you,
    }


def ranking_show(
    *, is_ranked: bool, reason: UnrankedReason | None, has_mail: bool, is_final: bool
) -> dailies_schemas.DailyRanking:
    """Whether an attempt is ranked, with the reason in words.

    `is_final`: the board is settled, so there is nothing to do. Runs that are older
    than the storing of reasons have no reason.
    """
    explanation = explain_unranked(reason, has_mail=has_mail) if reason else None
    return {
        "is_ranked": is_ranked,
        "reason": reason,
        "words": explanation.words if explanation else None,
        "to_do": explanation.to_do if explanation and not is_final else None,
    }


def daily_line(
    daily: Daily, *, at: datetime, players: int
) -> dailies_schemas.DailyLine:
    """A daily as a line of a list."""
    return {
        "date": daily.on.isoformat(),
        "number": day_number(daily.on),
        "ruleset": daily.ruleset,
        "difficulty": daily.difficulty,
        "phase": daily_phase(daily.on, at, daily.settled_at),
        "planned": daily.planned,
        "band": _band(daily),
        "seal": daily.dungeon.seal if daily.dungeon else None,
        "master_seal": daily.master_seal,
        "drawn_at": as_text(daily.drawn_at),
        "opens_at": as_text(daily.opens_at),
        "closes_at": as_text(daily.closes_at),
        "settled_at": as_text(daily.settled_at),
        "players": players,
    }


def _band(daily: Daily) -> str | None:
    """The difficulty band of the dungeon, if it is revealed and assessed."""
    if daily.settled_at is None or daily.dungeon is None:
        return None
    assessment = getattr(daily.dungeon, "assessment", None)
    return assessment.band if assessment else None


def dailies_past(
    ruleset: str, *, before: date | None, limit: int, at: datetime
) -> list[dailies_schemas.DailyLine]:
    """Dailies that have opened, newest first; those before a date, if one is given."""
    rows = Daily.objects.select_related("dungeon__assessment").filter(
        ruleset=ruleset, opens_at__lte=at
    )
    if before is not None:
        rows = rows.filter(on__lt=before)
    dailies = list(rows.order_by("-on")[:limit])
    players = player_counts(dailies)
    return [daily_line(d, at=at, players=players.get(d.id, 0)) for d in dailies]


def dailies_ahead(ruleset: str, *, at: datetime) -> list[dailies_schemas.DailyLine]:
    """The drawn dailies of the coming days, the next one first."""
    rows = Daily.objects.select_related("dungeon").filter(
        ruleset=ruleset, opens_at__gt=at
    )
    return [daily_line(d, at=at, players=0) for d in rows.order_by("on")]


def player_counts(dailies: Sequence[Daily]) -> dict[str, int]:
    """How many accounts (guests included) have started each daily, by its id."""
    runs = Run.objects.filter(daily__in=dailies, kind=Run.Kind.DAILY)
    return dict(runs.values_list("daily_id").annotate(n=Count("id")).order_by())


def board_visibility(daily: Daily, attempt: Run | None) -> BoardVisibility:
    """How much of a daily's board a viewer with this attempt may see.

    Before it is settled, ranks and scores are shown to players whose attempt has ended,
    has faced a card, and is or can become ranked. Otherwise a guest or a second account
    could start and abandon an attempt to see them.
    """
    if daily.settled_at is not None:
        return BoardVisibility.FULL
    has_competed = (
        attempt is not None
        and attempt.status != Run.Status.PLAYING
        and attempt.faced > 0
        and attempt.voided_at is None
        and may_be_ranked(is_ranked=attempt.ranked, reason=attempt.unranked)
    )
    return BoardVisibility.SCORES if has_competed else BoardVisibility.COUNT


def you_show(
    daily: Daily, attempt: Run | None, *, may_rank: bool, pool: str
) -> dailies_schemas.DailyYou:
    """The viewer's attempt at a daily, with its rank once it is over."""
    you: dailies_schemas.DailyYou = {
        "may_rank": may_rank,
        "pool": pool,
        "deadline_at": as_text(attempt.deadline_at) if attempt else None,
        "run": None,
        "status": None,
        "ranked": None,
        "score": None,
        "rank": None,
        "of": None,
        "percentile": None,
    }
    if attempt is None:
        return you
    you["run"] = attempt.id
    you["status"] = cast("RunStatus", attempt.status)
    you["ranked"] = attempt.ranked
    you["score"] = attempt.score
    if attempt.ranked and attempt.status != Run.Status.PLAYING:
        you["rank"], you["of"] = _rank(daily, attempt.account_id, pool)
        if you["rank"] and you["of"]:
            you["percentile"] = percentile(you["rank"], you["of"])
    return you


def _rank(
    daily: Daily, account_id: str, pool: str
) -> tuple[int, int] | tuple[None, None]:
    """The account's rank on the board, and the number of entries."""
    board = board_find(
        "daily",
        pool,
        ruleset=daily.ruleset,
        difficulty=daily.difficulty,
        span=daily.on.isoformat(),
    )
    own = own_line(board.id, account_id) if board else None
    if board is None or own is None:
        return None, None
    return rank_of(board.id, own.keyset), total_of(board.id)


def _assessment(daily: Daily) -> dailies_schemas.Assessment | None:
    assessment = Assessment.objects.filter(dungeon_id=daily.dungeon_id).first()
    if assessment is None:
        return None
    return {
        "winnable": assessment.winnable,
        "best": assessment.best,
        "cleared": assessment.cleared,
        "games": assessment.games,
        "band": assessment.band,
        "version": assessment.version,
    }


def streak_show(account_id: str, *, at: datetime) -> dailies_schemas.Streak:
    """An account's streak today: days with a ranked daily in which it faced a card.

    A day that a program played does not count for a person.
    """
    today = day_of(at)
    days = Run.objects.filter(
        Q(voided_at=None) & ~Q(status=Run.Status.PLAYING),
        account_id=account_id,
        kind=Run.Kind.DAILY,
        ranked=True,
        faced__gt=0,
        by_program=F("account__is_bot"),
        daily__on__lte=today,
    )
    bridged = bridged_days()
    streak = build_streak(days.values_list("daily__on", flat=True), bridged)
    freeze_on = freeze_ready_on(streak)
    return {
        "current": current_length(streak, today, bridged),
        "longest": streak.longest,
        "played_today": streak.last_on == today,
        "last_on": streak.last_on.isoformat() if streak.last_on else None,
        "frozen_on": streak.frozen_on.isoformat() if streak.frozen_on else None,
        "bridged": sorted(
            day.isoformat()
            for day in bridged
            if day <= today and (streak.last_on is None or day > streak.last_on)
        )[-10:],
        "freeze_ready_on": (
            freeze_on.isoformat() if freeze_on and freeze_on > today else None
        ),
    }


def year_show(account_id: str, year: int, *, at: datetime) -> dailies_schemas.Year:
    """A year of an account's attempts at dailies: {year, days, streak, badges}."""
    runs = (
        Run.objects.filter(
            account_id=account_id, kind=Run.Kind.DAILY, daily__on__year=year
        )
        .select_related("daily")
        .order_by("daily__on", "ruleset")
    )
    badges = EarnedBadge.objects.filter(account_id=account_id)
    return {
        "year": year,
        "days": [_day(run) for run in runs],
        "streak": streak_show(account_id, at=at),
        "badges": [_badge(badge) for badge in badges.order_by("earned_on", "key")],
    }


def _badge(earned: EarnedBadge) -> dailies_schemas.Badge:
    text = next((badge for badge in BADGES if badge.key == earned.key), None)
    return {
        "key": earned.key,
        "name": text.name if text else earned.key,
        "words": text.words if text else "",
        "earned_on": earned.earned_on.isoformat(),
    }


def _day(run: Run) -> dailies_schemas.YearDay:
    assert run.daily is not None
    return {
        "date": run.daily.on.isoformat(),
        "ruleset": run.ruleset,
        "run": run.id,
        "status": cast("RunStatus", run.status),
        "score": run.score,
        "ranked": run.ranked,
    }
