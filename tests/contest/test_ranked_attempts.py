"""Whether an attempt at a daily is ranked: tables of cases."""

from datetime import UTC, datetime, timedelta

import pytest

from game.contest.ranked_attempts import (
    MIN_AGE,
    MIN_FINISHED_RUNS,
    AttemptFacts,
    DeckView,
    HistoryClaim,
    MailboxView,
    Sightings,
    UnrankedReason,
    explain_unranked,
    familiar_before,
    history_claims_refused,
    why_unranked,
)

NINE = datetime(2027, 3, 17, 9, tzinfo=UTC)
TEN, NOON = NINE + timedelta(hours=1), NINE + timedelta(hours=3)
OLD_ACCOUNT = AttemptFacts(age=MIN_AGE, finished_runs=MIN_FINISHED_RUNS)
BOT = AttemptFacts(is_bot=True, is_bot_account=True, has_verified_email=True)
BROWSER_SEEN = UnrankedReason.BROWSER_SEEN


@pytest.mark.parametrize(
    ("facts", "seen", "reason"),
    [
        (AttemptFacts(), None, "unqualified"),
        (AttemptFacts(is_guest=True), None, "guest"),
        (AttemptFacts(is_guest=True, has_passkey=True), None, "guest"),
        (AttemptFacts(is_guest=True), BROWSER_SEEN, "browser_seen"),
        (AttemptFacts(has_verified_email=True), None, None),
        (AttemptFacts(has_verified_email=True), BROWSER_SEEN, "browser_seen"),
        (AttemptFacts(has_passkey=True), None, None),
        (AttemptFacts(was_ranked=True), None, None),
        (AttemptFacts(was_ranked=True), BROWSER_SEEN, "browser_seen"),
        (AttemptFacts(has_passkey=True, is_restricted=True), None, "restricted"),
        (
            AttemptFacts(has_passkey=True, is_restricted=True),
            BROWSER_SEEN,
            "browser_seen",
        ),
        (AttemptFacts(was_ranked=True, is_restricted=True), None, None),
        (AttemptFacts(is_bot=True, is_restricted=True), None, "restricted"),
        (OLD_ACCOUNT, None, None),
        (OLD_ACCOUNT, UnrankedReason.MAILBOX_SEEN, "mailbox_seen"),
        (OLD_ACCOUNT._replace(age=MIN_AGE - timedelta(seconds=1)), None, "unqualified"),
        (
            OLD_ACCOUNT._replace(finished_runs=MIN_FINISHED_RUNS - 1),
            None,
            "unqualified",
        ),
        (AttemptFacts(is_bot=True), None, "bot_unverified"),
        (AttemptFacts(is_bot=True, has_passkey=True), None, None),
        (AttemptFacts(was_ranked=True, is_cut_off=True), BROWSER_SEEN, "outage"),
        (AttemptFacts(is_bot=True, was_ranked=True, is_cut_off=True), None, "outage"),
        # Bot accounts: one person's accounts count, an address alone does not.
        (BOT, BROWSER_SEEN, "browser_seen"),
        (BOT._replace(was_ranked=True), UnrankedReason.MAILBOX_SEEN, "mailbox_seen"),
        (BOT, UnrankedReason.ADDRESS_SEEN, None),
        # A person's attempt with a move by token.
        (
            BOT._replace(is_bot_account=False),
            UnrankedReason.ADDRESS_SEEN,
            "address_seen",
        ),
    ],
)
def test_reason(
    facts: AttemptFacts, seen: UnrankedReason | None, reason: str | None
) -> None:
    assert why_unranked(facts, seen) == reason


def view(
    account: str,
    browser: str = "",
    *,
    at: datetime = NINE,
    look: str = "firefox",
    address: str = "home",
    familiar: bool = False,
    guest: bool = False,
) -> DeckView:
    full_look = f"{look}@{address}"
    return DeckView(account, at, browser, full_look, address, familiar, guest)


# What another account saw, and Eve's own view, of an attempt that ended at noon.
VIEWS_OF_OTHERS = [
    ("nobody else", [], view("eve", "b1"), None),
    ("own views", [view("eve", "b1"), view("eve", "b2")], view("eve", "b1"), None),
    ("same browser", [view("ann", "b1")], view("eve", "b1"), "browser_seen"),
    (
        "same browser, elsewhere",
        [view("ann", "b1", address="work")],
        view("eve", "b1", familiar=True),
        "browser_seen",
    ),
    (
        "same browser, while the attempt goes on",
        [view("ann", "b1", at=NOON)],
        view("eve", "b1"),
        "browser_seen",
    ),
    (
        "same browser, afterwards",
        [view("ann", "b1", at=NOON + timedelta(seconds=1))],
        view("eve", "b1"),
        None,
    ),
    ("private window", [view("ann", "b2")], view("eve", "b1"), "address_seen"),
    (
        "private window of the other account",
        [view("ann", "b2")],
        view("eve", "b1", familiar=True),
        "address_seen",
    ),
    (
        "other browser, new to the account",
        [view("ann", "b2", look="chrome", familiar=True)],
        view("eve", "b1"),
        "address_seen",
    ),
    (
        "other browser, known to the account",
        [view("ann", "b2", look="chrome")],
        view("eve", "b1", familiar=True),
        None,
    ),
    (
        "two phones of one family",
        [view("ann", "b2", familiar=True)],
        view("eve", "b1", familiar=True),
        None,
    ),
    (
        "other address",
        [view("ann", "b2", address="work")],
        view("eve", "b1"),
        None,
    ),
    ("programs without cookies", [view("ann", address="x")], view("eve"), None),
    (
        "a guest's attempt, and another one afterwards",
        [view("ann", "b1", at=NOON + timedelta(hours=5))],
        view("eve", "b1", guest=True),
        "browser_seen",
    ),
    (
        "a guest's attempt in a familiar browser",
        [view("ann", "b2", look="chrome", familiar=True)],
        view("eve", "b1", familiar=True, guest=True),
        "address_seen",
    ),
]


@pytest.mark.parametrize(
    ("others", "own", "reason"),
    [row[1:] for row in VIEWS_OF_OTHERS],
    ids=[row[0] for row in VIEWS_OF_OTHERS],
)
def test_seen_by_another_account(
    others: list[DeckView], own: DeckView, reason: str | None
) -> None:
    # Many further accounts elsewhere, and the order of the rows, change nothing.
    crowd = [view(f"x{n}", f"y{n}", address=f"z{n}") for n in range(5)]
    for views in ([*crowd, *others, own], [own, *others, *crowd]):
        found = Sightings(views).reason_for("eve", [own], [], until=NOON)
        assert found == reason


GUEST_ELSEWHERE = view("ann", "b2", look="chrome", guest=True)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (GUEST_ELSEWHERE, "address_seen"),
        (GUEST_ELSEWHERE._replace(at=NOON), "address_seen"),
        (GUEST_ELSEWHERE._replace(at=NOON + timedelta(seconds=1)), None),
        (GUEST_ELSEWHERE._replace(address="work"), None),
        (GUEST_ELSEWHERE._replace(is_crowded=True), None),
        # An address that links nobody.
        (GUEST_ELSEWHERE._replace(address="", look=""), None),
    ],
)
def test_seen_by_an_account_that_does_not_qualify(
    other: DeckView, reason: str | None
) -> None:
    """At the address of a familiar browser, before, during and after the attempt."""
    own = view("eve", "b1", familiar=True)
    found = Sightings([other, own], unqualified={"ann"})
    assert found.reason_for("eve", [own], [], until=NOON) == reason
    # Once the other account qualifies, it is a player like others.
    assert Sightings([other, own]).reason_for("eve", [own], [], until=NOON) is None
    passer_by = found.passer_by("eve", [own], until=NOON)
    assert passer_by == ("ann" if other.is_crowded else None)


def test_views_at_addresses_that_link_nobody_do_not_match() -> None:
    own, other = (
        view(account, account)._replace(address="", look="")
        for account in ("eve", "ann")
    )
    found = Sightings([own, other], unqualified={"ann"})
    assert found.reason_for("eve", [own], [], until=NOON) is None
    same_browser = other._replace(browser="eve")
    found = Sightings([own, same_browser])
    assert found.reason_for("eve", [own], [], until=NOON) == BROWSER_SEEN


def claim(
    account: str, *addresses: str, ranked: bool = False, at: datetime = NINE
) -> HistoryClaim:
    return HistoryClaim(account, frozenset(addresses), ranked, at)


@pytest.mark.parametrize(
    ("claims", "refused"),
    [
        ([], set()),
        ([claim("a", "x"), claim("b", "y")], set()),
        ([claim("a", "x", at=TEN), claim("b", "x", at=NINE)], {"a"}),
        # Who is ranked stays so, whoever started first.
        ([claim("a", "x", at=TEN, ranked=True), claim("b", "x")], {"b"}),
        # Two that started at the same moment: exactly one.
        ([claim("a", "x", ranked=True), claim("b", "x", ranked=True)], {"b"}),
        # A refused claim takes no address from others.
        (
            [claim("a", "x"), claim("b", "x", "y", at=TEN), claim("c", "y", at=NOON)],
            {"b"},
        ),
        # Unknown and shared addresses link nobody.
        ([claim("a", ""), claim("b", "")], set()),
        # The attempt of a closed account stays, and takes its address.
        (
            [
                claim("a", "x"),
                claim("b", "x", at=TEN)._replace(is_closed=True),
                claim("c", "x", at=NOON)._replace(is_closed=True),
            ],
            {"a"},
        ),
    ],
)
def test_one_history_for_each_address(
    claims: list[HistoryClaim], refused: set[str]
) -> None:
    assert history_claims_refused(claims) == refused
    assert history_claims_refused(reversed(claims)) == refused
    # Deciding again changes nothing.
    again = [
        each._replace(was_ranked=each.account_id not in refused) for each in claims
    ]
    assert history_claims_refused(again) == refused


def test_familiar_browser_was_used_before_the_day_and_half_a_day_before() -> None:
    opens = NINE.replace(hour=0)
    assert familiar_before(opens, NOON) == opens
    assert familiar_before(opens, NOON + timedelta(hours=9)) == opens
    assert familiar_before(opens, NINE) == opens - timedelta(hours=3)


def test_every_device_of_an_attempt_counts() -> None:
    phone, library = view("eve", "b1", address="x"), view("eve", "b2", at=TEN)
    guest_view = view("ann", "b2", at=NINE)
    found = Sightings([phone, library, guest_view])
    assert found.reason_for("eve", [phone, library], [], until=NOON) == BROWSER_SEEN
    assert found.reason_for("eve", [phone], [], until=NOON) is None
    # Looking at the finished run in the library afterwards changes nothing.
    assert found.reason_for("eve", [phone, library], [], until=NINE) is None


def test_mailbox_counts_once() -> None:
    boxes = [MailboxView("ann", TEN, "m"), MailboxView("eve", NINE, "m")]
    found = Sightings([], boxes)
    seen = UnrankedReason.MAILBOX_SEEN
    assert found.reason_for("eve", [], ["m"], until=NOON) is seen
    assert found.reason_for("eve", [], ["m"], until=NINE) is None
    assert found.reason_for("ann", [], ["m"], until=TEN) is seen
    assert found.reason_for("ann", [], ["other"], until=TEN) is None


def test_every_reason_is_explained() -> None:
    for reason in UnrankedReason:
        words, to_do = explain_unranked(reason, has_mail=True)
        assert words.endswith(".")
        assert to_do.endswith(".")
    for reason in (UnrankedReason.UNQUALIFIED, UnrankedReason.HISTORY_TAKEN):
        without = explain_unranked(reason, has_mail=False)
        assert "e-mail" not in without.to_do
