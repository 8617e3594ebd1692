"""Create accounts and change them: name, preferences.

`bots` turns an account into a bot account, `sign_in` handles passwords and e-mail,
`deletion` the end of an account.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from game.models import Account, OldName, name_key
from game.services.accounts.bots import (
    account_set_bot,
    bot_change_check,
    races_of_people_leave,
)
from game.services.accounts.browsers import Browser, browser_record
from game.services.accounts.names import (
    RENAME_INTERVAL,
    name_check,
    name_check_free,
    name_retire,
    name_taken,
    names_lock,
    pending_name_free,
)
from game.services.core.errors import Kind, ServiceRefusal

_MOODS = (
    *("Ashen", "Bold", "Brisk", "Candid", "Damp", "Dire", "Eager", "Faded", "Gaunt"),
    *("Grim", "Hasty", "Hollow", "Iron", "Keen", "Lost", "Merry", "Mossy", "Pale"),
    *("Quiet", "Rash", "Rusty", "Sly", "Stray", "Tired", "Wary", "Wry"),
)
_FIGURES = (
    *("Bat", "Bishop", "Candle", "Crow", "Dagger", "Ghoul", "Goblin", "Herald", "Imp"),
    *("Jester", "Key", "Lantern", "Ogre", "Page", "Rat", "Rogue", "Skull", "Smith"),
    *("Spider", "Squire", "Torch", "Vial", "Warden", "Wolf"),
)
# `seen_at` is written at most this often, not on every request.
SEEN_EVERY = timedelta(hours=1)


def guest_name() -> str:
    """Return a guest's name of at most 20 characters, such as "Wry Lantern 4821"."""
    mood, figure = secrets.choice(_MOODS), secrets.choice(_FIGURES)
    return f"{mood} {figure} {secrets.randbelow(9000) + 1000}"


def guest_create(*, at: datetime) -> Account:
    """Create a guest account with a name that is free."""
    while True:
        account = Account(name=guest_name(), is_guest=True, created_at=at, seen_at=at)
        account.set_unusable_password()
        try:
            with transaction.atomic():
                account.save(force_insert=True)
        except IntegrityError:
            continue  # the name is taken; there are millions of others
        return account


def account_record_seen(account: Account, browser: Browser, *, at: datetime) -> None:
    """Set `seen_at` and record the browser; each is written once an hour at most.

    Call it when the account loads the page, and before it enters a contest: a second
    account that has just changed its browser or address must be linked by then.
    """
    if account.seen_at <= at - SEEN_EVERY:
        Account.objects.filter(id=account.id, seen_at__lt=at).update(seen_at=at)
        account.seen_at = at
    browser_record(account.id, at=at, **browser._asdict())


def account_change(
    *,
    account_id: str,
    at: datetime,
    name: str | None = None,
    preferences: Mapping[str, Any] | None = None,
    is_bot: bool | None = None,
) -> Account:
    """Change the given fields, all or none of them.

    `preferences` are merged key by key; None removes a key. The caller validates them.
    `is_bot` true turns the account into a bot account, see `bots`. Raises name.* (see
    services/accounts/names), name.too_soon, account.guest, account.bot_for_good.
    """
    becomes_bot = is_bot is not None and bot_change_check(account_id, is_bot=is_bot)
    if becomes_bot:
        races_of_people_leave(account_id, at=at)
    try:
        with transaction.atomic():
            # no_key: rows that refer to the account may be inserted meanwhile.
            rows = Account.objects.select_for_update(no_key=True)
            account = rows.get(id=account_id)
            if name is not None:
                _rename(account, name, at)
            if preferences is not None:
                account.preferences = _merge(account.preferences, preferences)
            if becomes_bot:
                account_set_bot(account, at=at)
            account.save()
    except IntegrityError as error:  # another account took the name meanwhile
        raise name_taken() from error
    return account


def _merge(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**before, **changes}
    return {key: value for key, value in merged.items() if value is not None}


def _rename(account: Account, wanted: str, at: datetime) -> None:
    if account.is_guest:
        raise guest_refusal("Sign up to choose a name.")
    name = name_check(wanted)
    if name == account.name:
        return
    is_other = name_key(name) != account.name_key
    free_from = (account.renamed_at or at - RENAME_INTERVAL) + RENAME_INTERVAL
    if is_other and at < free_from:
        wait = int((free_from - at).total_seconds()) + 1
        raise ServiceRefusal(
            Kind.THROTTLED,
            "name.too_soon",
            "You can change your name once in 7 days.",
            {"limit": "1 rename in 7 days", "retry_after_s": wait},
        )
    names_lock()
    name_check_free(name, at=at, account_id=account.id)
    pending_name_free(name)
    if is_other:
        name_retire(account, at=at)
        OldName.objects.filter(key=name_key(name)).delete()
        account.renamed_at = at
    account.name = name


def guest_refusal(text: str) -> ServiceRefusal:
    """Return the refusal of an act that guests may not do."""
    return ServiceRefusal(Kind.FORBIDDEN, "account.guest", text)
