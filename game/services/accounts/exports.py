"""Export everything stored about an account, for its owner."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from game.models import (
    Abandonment,
    Account,
    AccountMark,
    BrowserMark,
    ChatMessage,
    DailyLink,
    DeckMailbox,
    DeckView,
    MatchDecline,
    Move,
    OldName,
    Run,
    Token,
)
from game.selectors.accounts.accounts import account_show, token_show
from game.selectors.accounts.blocks import blocks_show
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.moderation.standing import appeals_of, standing_show
from game.selectors.races.chat import message_text
from game.selectors.runs.runs import run_row
from game.services.accounts.sign_in import is_verified
from game.services.runs.runs import run_json

MAX_ROWS = 100_000


def account_export(*, account: Account, at: datetime) -> dict[str, Any]:
    """Return everything stored about the account as one JSON object.

    It leaves out secrets (password, tokens, second factors) and cards that the owner
    has not been shown.
    """
    return {
        "format": "scoundrel-live/1",
        "exported_at": as_text(at),
        "account": account_show(account, is_verified=is_verified(account)),
        "emails": [
            {"email": row.email, "verified": row.verified, "primary": row.primary}
            for row in EmailAddress.objects.filter(user=account).order_by("id")
        ],
        "old_names": [
            {"name": row.name, "held_until": as_text(row.until)}
            for row in OldName.objects.filter(account=account).order_by("until")
        ],
        "sign_in_methods": [
            {
                "type": row.type,
                "created_at": as_text(row.created_at),
                "used_at": as_text(row.last_used_at),
            }
            for row in Authenticator.objects.filter(user=account).order_by("id")
        ],
        "sessions": [
            {
                "address": row.ip,
                "user_agent": row.user_agent,
                "created_at": as_text(row.created_at),
            }
            for row in UserSession.objects.filter(user=account).order_by("id")
        ],
        "browsers": [
            {
                "mark": row.mark,
                "first_at": as_text(row.first_at),
                "seen_at": as_text(row.seen_at),
            }
            for row in BrowserMark.objects.filter(account=account).order_by("id")
        ],
        "mailboxes_and_addresses": [
            {
                "kind": row.kind,
                "mark": row.mark,
                "first_at": as_text(row.first_at),
                "seen_at": as_text(row.seen_at),
            }
            for row in AccountMark.objects.filter(account=account).order_by("id")
        ],
        "decks_of_open_dailies": [
            {
                "date": row.daily.on.isoformat(),
                "browser": row.browser,
                "look": row.look,
                "address": row.address,
                "at": as_text(row.at),
            }
            for row in DeckView.objects.filter(account=account)
            .select_related("daily")
            .order_by("id")
        ],
        "mailboxes_of_open_dailies": [
            {"date": row.daily.on.isoformat(), "mailbox": row.mailbox}
            for row in DeckMailbox.objects.filter(account=account)
            .select_related("daily")
            .order_by("id")
        ],
        "linked_in_dailies": [
            {
                "date": row.daily.on.isoformat(),
                "ruleset": row.daily.ruleset,
                "group": row.group,
            }
            for row in DailyLink.objects.filter(account=account)
            .select_related("daily")
            .order_by("id")
        ],
        "tokens": [
            token_show(row)
            for row in Token.objects.filter(user=account).order_by("created")
        ],
        "standing": standing_show(account, at=at, limit=MAX_ROWS),
        "appeals": appeals_of(account.id, limit=MAX_ROWS),
        "blocked": blocks_show(account.id),
        "messages": [
            {"race": row.race_id, "at": as_text(row.at), "text": message_text(row)}
            for row in ChatMessage.objects.filter(account=account).order_by("at", "id")
        ],
        "offers_not_accepted": [
            {"at": as_text(row.at)}
            for row in MatchDecline.objects.filter(account=account).order_by("at")
        ],
        "left_rated_races": [
            {"race": row.race_id, "how": row.how, "at": as_text(row.at)}
            for row in Abandonment.objects.filter(account=account).order_by("at")
        ],
        "runs": list(_runs(account, at)),
    }


def _runs(account: Account, at: datetime) -> Iterator[dict[str, Any]]:
    moves = Move.objects.filter(run__account=account).order_by("run_id", "index")
    by_run = {
        run_id: list(rows)
        for run_id, rows in groupby(moves.iterator(), key=lambda move: move.run_id)
    }
    runs = Run.objects.filter(account=account).select_related("account", "dungeon")
    for run in runs.order_by("started_at").iterator():
        moves_shown = [
            {
                "index": move.index,
                "move": move.code,
                "at_ms": elapsed_ms(run.started_at, move.at),
            }
            for move in by_run.get(run.id, [])
        ]
        yield {**run_json(run_row(run), at=at), "moves": moves_shown}
