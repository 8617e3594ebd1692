"""Restrictions: what muted, suspended and banned accounts cannot do, and until when."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession

from game.models import Account, Entrant, MatchTicket, OldName, Session
from game.selectors.accounts.accounts import player_find
from game.services.accounts.accounts import account_change
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import (
    Activity,
    is_banned,
    require_allowed,
    restriction_on,
)
from game.services.dailies.attempts import daily_run_start
from game.services.races.chat import chat_send
from game.services.races.commands import race_join
from game.services.races.create import RaceTerms, race_make
from game.services.races.matchmaking import match_ticket_join
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import person
from tests.fixtures.dailies import DAY as ON
from tests.fixtures.dailies import MORNING
from tests.fixtures.moderation import DAY, do, do_confirmed, undo
from tests.fixtures.races import (
    create_race,
    entrant,
    expect_refusal,
    member,
    now,
    read_race,
    start_race,
)
from tests.fixtures.runs import signed_in

pytestmark = pytest.mark.django_db
FORBIDDEN = Kind.FORBIDDEN


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


@pytest.fixture
def emil(db: None) -> Account:
    return member("Emil")


def test_muted_account_is_refused_with_reason_and_end(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = create_race([dora, emil])
    act = do(mona, "mute", dora, length=DAY, reason="language", text="Not so loud.")
    with pytest.raises(ServiceRefusal) as found:
        chat_send(account_id=dora.id, race_id=race_id, text="hello", at=now())
    refusal = found.value
    assert (refusal.code, refusal.kind) == ("account.muted", FORBIDDEN)
    assert refusal.detail["reason"] == "language"
    assert refusal.detail["words"] == "Not so loud."
    assert refusal.detail["act"] == act.id
    assert refusal.detail["appeal"] == "/account/standing"
    assert refusal.detail["until"] is not None
    # A muted account still plays, and others still write.
    practice_start(account=dora, at=now(), seed="a")
    chat_send(account_id=emil.id, race_id=race_id, text="hello", at=now())


def test_restriction_ends_at_its_time_or_when_undone(
    mona: Account, dora: Account
) -> None:
    at = now()
    act = do(mona, "mute", dora, at=at, length=DAY)
    longer = do(mona, "mute", dora, at=at, length=3 * DAY)
    assert restriction_on(dora.id, Activity.CHAT, at=at + 2 * DAY) == longer
    undo(mona, longer)
    assert restriction_on(dora.id, Activity.CHAT, at=at) == act
    assert restriction_on(dora.id, Activity.CHAT, at=at + DAY) is None


def test_most_severe_restriction_is_shown(mona: Account, dora: Account) -> None:
    do(mona, "mute", dora)
    do(mona, "suspend", dora, length=DAY)
    with expect_refusal("account.suspended", FORBIDDEN):
        require_allowed(dora, Activity.CHAT, at=now())
    do(mona, "ban", dora, length=timedelta(hours=1))
    with expect_refusal("account.banned", FORBIDDEN):
        require_allowed(dora, Activity.PLAY, at=now())


def test_account_suspended_from_rated_play_is_refused(
    mona: Account, dora: Account, emil: Account, daily: object
) -> None:
    rated = create_race([emil], rated=True)
    unrated = create_race([emil])
    do(mona, "suspend_rated", dora, length=DAY)
    with expect_refusal("account.rated_suspended", FORBIDDEN):
        race_join(account_id=dora.id, race_id=rated, at=now())
    with expect_refusal("account.rated_suspended", FORBIDDEN):
        race_make(account_id=dora.id, terms=RaceTerms(rated=True), at=now())
    with expect_refusal("account.rated_suspended", FORBIDDEN):
        match_ticket_join(
            account_id=dora.id, ruleset="tavern-1", form="score", at=now()
        )
    race_join(account_id=dora.id, race_id=unrated, at=now())
    practice_start(account=dora, at=now(), seed="a")


def test_suspended_account_cannot_start_a_ranked_daily(
    mona: Account, daily: object
) -> None:
    dora, emil = person("Dora"), person("Emil")
    begun_before, _ = daily_run_start(
        account=emil, on=ON, ruleset="tavern-1", at=MORNING
    )
    for one in (dora, emil):
        do(mona, "suspend_rated", one, at=MORNING, length=DAY)
    with expect_refusal("account.rated_suspended", FORBIDDEN):
        daily_run_start(account=dora, on=ON, ruleset="tavern-1", at=MORNING)
    # A run that was started before can be finished.
    again, made = daily_run_start(account=emil, on=ON, ruleset="tavern-1", at=MORNING)
    assert (again, made) == (begun_before, False)


def test_marked_account_can_play_unrated_only(
    mona: Account, milo: Account, dora: Account
) -> None:
    do_confirmed(mona, milo, "mark_cheat", dora)
    with expect_refusal("account.rated_suspended", FORBIDDEN):
        race_make(account_id=dora.id, terms=RaceTerms(rated=True), at=now())
    race_make(account_id=dora.id, terms=RaceTerms(), at=now())


def test_suspended_account_cannot_start_games(mona: Account, dora: Account) -> None:
    do(mona, "suspend", dora, length=DAY)
    for begin in (
        lambda: practice_start(account=dora, at=now(), seed="a"),
        lambda: race_make(account_id=dora.id, terms=RaceTerms(), at=now()),
    ):
        with expect_refusal("account.suspended", FORBIDDEN):
            begin()


def test_suspended_account_leaves_queues_and_open_races(
    mona: Account, dora: Account, emil: Account
) -> None:
    match_ticket_join(account_id=dora.id, ruleset="tavern-1", form="score", at=now())
    open_race = create_race([dora, emil])
    do(mona, "suspend", dora, length=DAY)
    assert not MatchTicket.objects.filter(account=dora).exists()
    assert [one["player"] for one in read_race(open_race)["entrants"]] == ["Emil"]


def test_banned_account_forfeits_running_races(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = start_race([dora, emil])
    do(mona, "suspend_rated", dora, length=DAY)
    assert entrant(race_id, dora)["forfeits_at"] is None
    do(mona, "ban", dora, length=DAY)
    assert Entrant.objects.get(race_id=race_id, account=dora).forfeits_at is not None


def test_ban_ends_sessions_of_members_only(
    mona: Account, ada: Account, dora: Account
) -> None:
    for one in (ada, dora):
        signed_in(one)
        UserSession.objects.create(
            user=one, ip="127.0.0.1", session_key=f"key-{one.id}", user_agent="x"
        )
        do(mona, "ban", one, length=DAY)
    assert list(Session.objects.values_list("account_id", flat=True)) == [ada.id]
    assert not UserSession.objects.filter(user=dora).exists()


def test_account_row_has_the_latest_end_of_bans(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    short = do(mona, "ban", dora, at=at, length=DAY)
    whole = do_confirmed(mona, milo, "ban", dora, at=at)
    dora.refresh_from_db()
    assert dora.banned_until is not None
    assert dora.banned_until.year == 9999
    undo(mona, whole)
    dora.refresh_from_db()
    assert dora.banned_until == at + DAY
    assert is_banned(dora, at=at + DAY - timedelta(seconds=1))
    assert not is_banned(dora, at=at + DAY)
    undo(mona, short)
    again = Account.objects.get(id=dora.id)
    assert (again.banned_until, again.standing_rev) == (None, 4)


def test_replaced_name_cannot_be_found_or_chosen(mona: Account) -> None:
    gus = member("Rude Name")
    OldName.objects.create(
        key="rude name", skeleton="x", name="Rude Name", account=gus, until=now() + DAY
    )
    act = do(mona, "rename", gus, reason="name")
    gus.refresh_from_db()
    assert gus.name != "Rude Name"
    assert player_find("Rude Name", at=now()) is None
    for one in (gus, member("Fay")):
        with expect_refusal("name.refused", Kind.MALFORMED):
            account_change(account_id=one.id, at=now(), name="rude name")
    # The player may choose another name at once.
    account_change(account_id=gus.id, at=now(), name="Kind Name")
    undo(mona, act)
    gus.refresh_from_db()
    assert gus.name == "Rude Name"


def test_old_name_taken_meanwhile_is_not_restored(mona: Account) -> None:
    gus = member("Gus")
    act = do(mona, "rename", gus)
    member("Gus")
    with expect_refusal("name.taken", Kind.MALFORMED):
        undo(mona, act)
    act.refresh_from_db()
    assert act.state == "in_force"


def test_longest_restriction_of_a_kind_is_shown(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    do(mona, "mute", dora, at=at, length=DAY)
    longer = do(mona, "mute", dora, at=at, length=3 * DAY)
    do(milo, "mute", dora, at=at, length=2 * DAY)
    assert restriction_on(dora.id, Activity.CHAT, at=at) == longer
    permanent = do_confirmed(mona, milo, "mute", dora, at=at)
    assert restriction_on(dora.id, Activity.CHAT, at=at) == permanent


def test_marked_account_leaves_rated_races_only(
    mona: Account, milo: Account, dora: Account, emil: Account
) -> None:
    rated = create_race([emil, dora], rated=True)
    unrated = create_race([emil, dora])
    do_confirmed(mona, milo, "mark_cheat", dora)
    assert [one["player"] for one in read_race(rated)["entrants"]] == ["Emil"]
    assert [one["player"] for one in read_race(unrated)["entrants"]] == ["Emil", "Dora"]


def test_suspended_account_plays_running_races_on(
    mona: Account, dora: Account, emil: Account
) -> None:
    race_id = start_race([dora, emil])
    do(mona, "suspend", dora, length=DAY)
    assert Entrant.objects.get(race_id=race_id, account=dora).forfeits_at is None


def test_undone_ban_keeps_sessions(mona: Account, dora: Account) -> None:
    act = do(mona, "ban", dora, length=DAY)
    signed_in(dora)  # to appeal
    undo(mona, act)
    assert Session.objects.filter(account_id=dora.id).exists()
