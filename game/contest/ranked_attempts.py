"""Whether an attempt at a daily is ranked, and if not, why.

`why_unranked` decides, from the account's qualification and from whether another
account was dealt the same deck in a place that suggests the same person. Services
call it before the attempt starts, when it starts, when something changes, and when the
daily is settled.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

# An account without a verified e-mail or a passkey qualifies by these.
MIN_AGE: Final = timedelta(days=7)
MIN_FINISHED_RUNS: Final = 5
# A browser is familiar if the account used it before the day, and this long before.
FAMILIAR_AFTER: Final = timedelta(hours=12)
# An address is crowded if accounts with this many verified mailboxes were used there
# lately: a school, an office, the customers of a provider, and no household.
MIN_CROWD: Final = 10


class UnrankedReason(StrEnum):
    """Why an attempt is unranked."""

    OUTAGE = "outage"
    MAILBOX_SEEN = "mailbox_seen"
    BROWSER_SEEN = "browser_seen"
    ADDRESS_SEEN = "address_seen"
    RESTRICTED = "restricted"
    GUEST = "guest"
    UNQUALIFIED = "unqualified"
    BOT_UNVERIFIED = "bot_unverified"
    HISTORY_TAKEN = "history_taken"


# One person's accounts, also if programs play.
_SAME_PERSON: Final = (UnrankedReason.MAILBOX_SEEN, UnrankedReason.BROWSER_SEEN)
# What the player can still change before the board is settled.
_MAY_END: Final = (
    UnrankedReason.GUEST,
    UnrankedReason.UNQUALIFIED,
    UnrankedReason.BOT_UNVERIFIED,
    UnrankedReason.HISTORY_TAKEN,
)


class AttemptFacts(NamedTuple):
    """What an account has to show for a ranked attempt, and what became of it."""

    is_guest: bool = False
    # Whether a program plays: a bot account's, or one that sends moves with a token.
    is_bot: bool = False
    # Whether the account is a bot account, which it stays.
    is_bot_account: bool = False
    # For a bot, any address that counts as verified; for a person, a proved mailbox.
    has_verified_email: bool = False
    has_passkey: bool = False
    age: timedelta = timedelta(0)
    # On dungeons whose seed was not typed.
    finished_runs: int = 0
    # Whether a moderator has excluded the account from ranked play.
    is_restricted: bool = False
    # Whether an outage covered the rest of the attempt.
    is_cut_off: bool = False
    # Whether this attempt was ranked before: later changes of the account, such as
    # its deletion, do not take that back. Moderators void runs instead.
    was_ranked: bool = False


class DeckView(NamedTuple):
    """A browser in which an account was dealt a daily's deck.

    `browser`, `look` and `address` are hashes: of the browser's cookie ("" without
    one), of address and user agent, and of the address alone. `is_familiar`: the
    account was used in this browser before `familiar_before`. `is_guest`: it was a
    guest then. `look` and `address` are "" at an address that links nobody.
    `is_crowded`: many people used the address, see MIN_CROWD.
    """

    account_id: str
    at: datetime
    browser: str
    look: str
    address: str
    is_familiar: bool = False
    is_guest: bool = False
    is_crowded: bool = False


def familiar_before(opens_at: datetime, at: datetime) -> datetime:
    """Until when an account must have used a browser that is familiar at `at`."""
    return min(opens_at, at - FAMILIAR_AFTER)


class MailboxView(NamedTuple):
    """A verified mailbox (as a hash) of an account that was dealt a daily's deck."""

    account_id: str
    at: datetime
    mailbox: str


class _First(NamedTuple):
    at: datetime
    account_id: str


_Key = tuple[str, str]


class Sightings:
    """When the deck was first dealt in each browser, address and mailbox.

    Keeps the first two accounts of each, so that "was it dealt to another account
    before?" takes the same time for any number of attempts.
    """

    def __init__(
        self,
        views: Iterable[DeckView],
        mailboxes: Iterable[MailboxView] = (),
        *,
        unqualified: Collection[str] = (),
    ) -> None:
        """Read the views and mailboxes of a daily, in any order.

        `unqualified`: those of the accounts that do not qualify for a ranked attempt.
        """
        self._first: dict[_Key, list[_First]] = {}
        for view in sorted(views, key=lambda view: view.at):
            first = _First(view.at, view.account_id)
            self._add(("browser", view.browser), first)
            self._add(("address", view.address), first)
            if not view.is_familiar:
                self._add(("look", view.look), first)
            if view.account_id in unqualified:
                kind = "passer-by" if view.is_crowded else "unqualified"
                self._add((kind, view.address), first)
        for box in sorted(mailboxes, key=lambda box: box.at):
            self._add(("mailbox", box.mailbox), _First(box.at, box.account_id))

    def _add(self, key: _Key, first: _First) -> None:
        if not key[1]:  # no cookie, or an address that links nobody
            return
        known = self._first.setdefault(key, [])
        if len(known) < 2 and all(
            other.account_id != first.account_id for other in known
        ):
            known.append(first)

    def reason_for(
        self,
        account_id: str,
        views: Sequence[DeckView],
        mailboxes: Iterable[str],
        *,
        until: datetime,
    ) -> UnrankedReason | None:
        """How another account was dealt the deck before the attempt ended at `until`.

        - Its mailbox is one of this account's.
        - It was in a browser of this attempt.
        - It was at an address of this attempt, and the account was never used in this
          browser before the day; or neither account was, and the browsers look alike
          (as a private window does); or the other account does not qualify for a ranked
          attempt, and the address is not crowded: a guest costs nothing.

        Where the account looked at its attempt after that does not matter. An attempt
        begun by a guest must be the first and only one there: any time of
        the day counts, and no browser is familiar.
        """
        own = [view for view in views if view.at <= until]
        is_guest = any(view.is_guest for view in own)

        def was_dealt(kind: str, mark: str) -> bool:
            return any(
                first.account_id != account_id and (is_guest or first.at <= until)
                for first in self._first.get((kind, mark), ())
            )

        if any(was_dealt("mailbox", mark) for mark in mailboxes):
            return UnrankedReason.MAILBOX_SEEN
        if any(was_dealt("browser", view.browser) for view in own):
            return UnrankedReason.BROWSER_SEEN
        for view in own:
            is_familiar = view.is_familiar and not is_guest
            if (
                was_dealt("look", view.look)
                or was_dealt("unqualified", view.address)
                or (not is_familiar and was_dealt("address", view.address))
            ):
                return UnrankedReason.ADDRESS_SEEN
        return None

    def passer_by(
        self, account_id: str, views: Iterable[DeckView], *, until: datetime
    ) -> str | None:
        """An unqualified account that was dealt the deck at a crowded address of this
        attempt before it ended at `until`, if there is one.
        """
        for view in views:
            for first in self._first.get(("passer-by", view.address), ()):
                if first.account_id != account_id and first.at <= until:
                    return first.account_id
        return None


def why_unranked(
    facts: AttemptFacts, seen: UnrankedReason | None
) -> UnrankedReason | None:
    """Why an attempt is unranked, or None if it is ranked.

    `seen` is how another account was dealt the deck before (`Sightings.reason_for`).
    It comes first, since nothing that the player can do today changes it. An address
    alone does not matter to bot accounts, because many of them run in one network; a
    person's attempt does not get around it by a move by token.
    """
    if facts.is_cut_off:
        return UnrankedReason.OUTAGE
    if seen is not None and (not facts.is_bot_account or seen in _SAME_PERSON):
        return seen
    if facts.was_ranked:
        return None
    if facts.is_restricted:
        return UnrankedReason.RESTRICTED
    if facts.is_bot:
        is_ranked = facts.has_verified_email or _qualifies(facts)
        return None if is_ranked else UnrankedReason.BOT_UNVERIFIED
    if facts.is_guest:
        return UnrankedReason.GUEST
    return None if _qualifies(facts) else UnrankedReason.UNQUALIFIED


def may_be_ranked(*, is_ranked: bool, reason: str) -> bool:
    """Whether an attempt is ranked, or can become ranked before the board is settled.

    `reason` is why it is unranked, "" if it is ranked.
    """
    return is_ranked or reason in _MAY_END


def is_qualified(facts: AttemptFacts) -> bool:
    """Whether the account qualifies for a ranked attempt, whatever was seen."""
    return not facts.is_guest and _qualifies(facts)


def _qualifies(facts: AttemptFacts) -> bool:
    has_history = facts.age >= MIN_AGE and facts.finished_runs >= MIN_FINISHED_RUNS
    return facts.has_verified_email or facts.has_passkey or has_history


def needs_history(facts: AttemptFacts) -> bool:
    """Whether the account qualifies by its age and runs alone, if it does."""
    return not facts.has_verified_email and not facts.has_passkey


class HistoryClaim(NamedTuple):
    """An attempt that would be ranked by the age and the runs of its account alone.

    `addresses`: hashes of where the deck was dealt to it, "" if that links nobody.
    `is_closed`: the account is closed; such an attempt stays as it is.
    """

    account_id: str
    addresses: frozenset[str]
    was_ranked: bool
    started_at: datetime
    is_closed: bool = False


def history_claims_refused(claims: Iterable[HistoryClaim]) -> frozenset[str]:
    """The accounts whose attempts are not ranked: one per address may be.

    Accounts that only need time are easily kept in stock. Those that are ranked already
    come first, then the first to start. Deciding again gives the same result.
    """
    taken: set[str] = set()
    refused: set[str] = set()
    for claim in sorted(claims, key=_claim_order):
        addresses = claim.addresses - {""}
        if addresses & taken and not claim.is_closed:
            refused.add(claim.account_id)
        else:
            taken |= addresses
    return frozenset(refused)


def _claim_order(claim: HistoryClaim) -> tuple[bool, bool, datetime, str]:
    return (
        not claim.is_closed,
        not claim.was_ranked,
        claim.started_at,
        claim.account_id,
    )


class Explanation(NamedTuple):
    """A reason in words for the player: what it means, and what to do."""

    words: str
    to_do: str


_HISTORY: Final = (
    f"play {MIN_FINISHED_RUNS} runs to their end, not on a seed that you typed, with an"
    f" account that is {MIN_AGE.days} days old"
)
_TODAY: Final = "Your attempt becomes ranked if you do so before the board is settled."
_TOMORROW: Final = "Tomorrow's daily is a new chance."


_EXPLANATIONS: Final = {
    UnrankedReason.OUTAGE: Explanation(
        "The site was down until the end of the attempt's time.", _TOMORROW
    ),
    UnrankedReason.MAILBOX_SEEN: Explanation(
        "Another account with your e-mail's mailbox has been dealt this deck. A mailbox"
        " counts once a day.",
        _TOMORROW,
    ),
    UnrankedReason.BROWSER_SEEN: Explanation(
        "Another account has been dealt this deck in this browser.", _TOMORROW
    ),
    UnrankedReason.ADDRESS_SEEN: Explanation(
        "Another account has been dealt this deck at your network address. It is a"
        " guest or does not qualify for ranked dailies, or your browser is new or looks"
        " like theirs.",
        "If somebody in your household plays as a guest or with a new account, your"
        " attempt can become ranked once their account qualifies, before the board is"
        " settled. A browser is not new if you were signed in there before today and at"
        f" least {FAMILIAR_AFTER // timedelta(hours=1)} hours ago.",
    ),
    UnrankedReason.RESTRICTED: Explanation(
        "A moderator has excluded your account from ranked play.",
        "Your standing says until when, and how to appeal.",
    ),
    UnrankedReason.GUEST: Explanation(
        "You play as a guest.",
        "Sign up or sign in in this browser today. Your attempt becomes ranked if the"
        " account qualifies and no other attempt was made from here.",
    ),
    UnrankedReason.UNQUALIFIED: Explanation(
        "Your account does not qualify for ranked dailies yet.",
        f"Verify your e-mail, add a passkey, or {_HISTORY}. {_TODAY}",
    ),
    UnrankedReason.HISTORY_TAKEN: Explanation(
        "Your account qualifies by its age and runs only, and so does another account"
        " at your network address that was first. One of them counts a day.",
        f"Verify your e-mail or add a passkey. {_TODAY}",
    ),
    UnrankedReason.BOT_UNVERIFIED: Explanation(
        "A bot's attempt is ranked once its account has a verified e-mail.",
        f"Verify an e-mail. {_TODAY}",
    ),
}
# Where no e-mail can be verified.
_WITHOUT_MAIL: Final = {
    UnrankedReason.UNQUALIFIED: f"Add a passkey, or {_HISTORY}. {_TODAY}",
    UnrankedReason.HISTORY_TAKEN: f"Add a passkey. {_TODAY}",
}


def explain_unranked(reason: UnrankedReason, *, has_mail: bool) -> Explanation:
    """Return the reason in words. `has_mail`: the site can verify e-mail addresses."""
    explanation = _EXPLANATIONS[reason]
    if not has_mail and reason in _WITHOUT_MAIL:
        return explanation._replace(to_do=_WITHOUT_MAIL[reason])
    return explanation
