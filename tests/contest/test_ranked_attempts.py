"""Whether an attempt at a daily is ranked: tables of cases."""

from datetime import UTC, datetime, timedelta

import pytest

from game.contest.ranked_attempts import (
    MIN_AGE,
    MIN_FINISHED_RUNS,
    AttemptFacts,
    DeckView,
    MailboxView,
    Sightings,
    UnrankedReason,
    explain_unranked,
    familiar_before,
    why_unranked,
)

NINE = datetime(2027, 3, 17, 9, tzinfo=UTC)
TEN, NOON = NINE + timedelta(hours=1), NINE + timedelta(hours=3)
OLD_ACCOUNT = AttemptFacts(age=MIN_AGE, finished_runs=MIN_FINISHED_RUNS)
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
        # Programs: one person's accounts count, an address alone does not.
        (
            AttemptFacts(is_bot=True, has_verified_email=True),
            BROWSER_SEEN,
            "browser_seen",
        ),
        (
            AttemptFacts(is_bot=True, was_ranked=True),
            UnrankedReason.MAILBOX_SEEN,
            "mailbox_seen",
        ),
        (
            AttemptFacts(is_bot=True, has_verified_email=True),
            UnrankedReason.ADDRESS_SEEN,
            None,
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
    without = explain_unranked(UnrankedReason.UNQUALIFIED, has_mail=False)
    assert "e-mail" not in without.to_do
