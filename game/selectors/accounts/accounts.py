"""Accounts as their owners see them, and players as everybody sees them."""

from datetime import datetime
from typing import Any, cast

from django.db.models import Avg, Count, F, Max, Q, QuerySet

from game.analysis import ANALYSIS_VERSION
from game.models import Account, Run, Study, Token, name_key
from game.models.accounts.account import OldName
from game.rules.schemas import RunStatus
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.core.times import as_text
from game.selectors.moderation.standing import notices_unseen
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.runs import run_elapsed_ms


def account_show(
    account: Account, *, is_verified: bool = False
) -> accounts_schemas.AccountRecord:
    """Return an account as its owner sees it."""
    return {
        "id": account.id,
        "name": account.name,
        "email": account.email,
        "is_guest": account.is_guest,
        "is_bot": account.is_bot,
        "is_verified": is_verified,
        "preferences": account.preferences,
        "notices": notices_unseen(account.id),
        "created_at": as_text(account.created_at),
    }


def token_show(token: Token) -> accounts_schemas.Token:
    """Return a token as its owner sees it: its first characters, never all of it."""
    return {
        "id": token.id,
        "name": token.name,
        "starts_with": token.token_key[:8],
        "scopes": token.scopes,
        "created_at": as_text(token.created),
        "expires_at": as_text(token.expiry),
        "used_at": as_text(token.used_at),
    }


def player_find(name: str, *, at: datetime) -> Account | None:
    """Return the player with that name, or None.

    A former name finds its player for 30 days. Closed accounts and unverified sign-ups
    are not found.
    """
    key = name_key(name)
    account = Account.objects.filter(name_key=key, is_active=True).first()
    if account is None:
        old_names = OldName.objects.select_related("account").filter(
            key=key, until__gt=at
        )
        account = next(
            (old.account for old in old_names if old.account.is_active), None
        )
    return None if account is None or account.is_pending else account


def player_show(account: Account) -> accounts_schemas.Player:
    """Return a player's public profile; its numbers are those of `measured_runs`."""
    runs = measured_runs(account)
    counted = runs.aggregate(
        runs=Count("id"), cleared=Count("id", filter=Q(status=Run.Status.CLEARED))
    )
    best = (
        runs.values("ruleset", "difficulty")
        .annotate(
            score=Max("score"),
            runs=Count("id"),
            cleared=Count("id", filter=Q(status=Run.Status.CLEARED)),
        )
        .order_by("ruleset", "difficulty")
    )
    reviews = _review_summary(account)
    return {
        "name": account.name,
        "since": as_text(account.created_at),
        "is_bot": account.is_bot,
        "is_guest": account.is_guest,
        "runs": counted["runs"],
        "cleared": counted["cleared"],
        "reviewed": reviews["reviewed"],
        "accuracy": reviews["accuracy"],
        "best": list(best),
    }


def _review_summary(account: Account) -> dict[str, Any]:
    """Return {reviewed, accuracy}: reviewed runs and their mean, 0..1 or None."""
    reviews = Study.objects.filter(
        run__in=measured_runs(account),
        kind=Study.Kind.REVIEW,
        status=Study.Status.DONE,
        version=ANALYSIS_VERSION,
        accuracy__isnull=False,
    )
    return reviews.aggregate(reviewed=Count("id"), accuracy=Avg("accuracy"))


def player_runs(account: Account) -> QuerySet[Run]:
    """Return the finished runs whose dungeon is revealed, as a profile lists them."""
    return Run.objects.filter(
        account=account, dungeon__revealed_at__isnull=False
    ).exclude(status=Run.Status.PLAYING)


def measured_runs(account: Account) -> QuerySet[Run]:
    """Return the finished runs that the numbers of a profile count.

    Left out are void runs, runs with the coach's help, and runs whose cards the player
    could know beforehand: on a seed that a player typed, in practice on the deck of a
    daily, at a daily whose deck had been dealt to another account of theirs, as it
    seems, and on a dungeon that was revealed before they began (a ghost's).
    """
    return (
        player_runs(account)
        .filter(
            dungeon__seed_given=False,
            started_at__lte=F("dungeon__revealed_at"),
            voided_at=None,
            coached=False,
        )
        .exclude(kind=Run.Kind.PRACTICE, daily__isnull=False)
        .filter(deck_seen="")
    )


def run_summary(run: Run) -> runs_schemas.RunSummary:
    """Return one row of a public list of runs; fetch `run` with its dungeon."""
    assert run.score is not None
    assert run.finished_at is not None
    return {
        "id": run.id,
        "kind": run.kind,
        "ruleset": run.ruleset,
        "difficulty": run.difficulty,
        "status": cast("RunStatus", run.status),
        "score": run.score,
        "coached": run.coached,
        "moves": run.index,
        "faced": run.faced,
        "seal": run.dungeon.seal,
        "started_at": as_text(run.started_at),
        "finished_at": as_text(run.finished_at),
        "elapsed_ms": run_elapsed_ms(run),
    }
