"""Matchmaking: queue, offer, acceptance, race, and each way to leave."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from game.contest.pairing import BOT_OFFER_AFTER, OFFER_LIFETIME
from game.models import (
    Account,
    Block,
    Entrant,
    MatchDecline,
    MatchTicket,
    PointsLine,
    Race,
    Rating,
    RatingChange,
    Run,
)
from game.selectors.races.leaver_penalty import leaver_penalty_show
from game.selectors.races.match_declines import pauses_of
from game.selectors.races.match_tickets import match_json
from game.services.accounts.browsers import browser_record
from game.services.accounts.deletion import expired_rows_prune
from game.services.boards.race_points import races_award_points
from game.services.core.errors import ServiceRefusal
from game.services.races.commands import race_join, race_leave
from game.services.races.create import race_rematch
from game.services.races.matchmaking import (
    TICKET_TIMEOUT,
    match_offer_accept,
    match_race_bot,
    match_ticket_join,
    match_ticket_leave,
    match_ticket_refresh,
    matchmaking_advance,
)
from game.services.races.timeouts import race_advance
from tests.fixtures.races import (
    create_paired_race,
    create_race,
    member,
    now,
    play_all,
    read_race,
)
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db


def seek(account: Account, at: datetime, form: str = "score") -> MatchTicket:
    return match_ticket_join(
        account_id=account.id, ruleset="tavern-1", form=form, at=at
    )


def create_ticket(account: Account, at: datetime, rating: float = 1500) -> None:
    """Queue the account without looking for pairs."""
    MatchTicket.objects.create(
        account=account,
        ruleset="tavern-1",
        format="score",
        pool="live",
        rating=rating,
        made_at=at,
        seen_at=at,
    )


def show(account: Account, at: datetime) -> Any:
    return match_json(match_ticket_refresh(account_id=account.id, at=at), at)


def test_two_waiting_players_are_offered_a_match(ada: Account, bob: Account) -> None:
    at = now()
    assert show(ada, at)["state"] == "idle"
    seek(ada, at)
    assert show(ada, at)["state"] == "waiting"
    seek(bob, at)
    seen = show(ada, at)
    assert seen["state"] == "offered"
    assert seen["offer"]["opponent"] == bob.name
    assert (seen["offer"]["rated"], seen["offer"]["rating"]) == (False, 1500)


def test_countdown_begins_when_both_accept(ada: Account, bob: Account) -> None:
    at = now()
    seek(ada, at)
    seek(bob, at)
    match_offer_accept(account_id=ada.id, at=at)
    match_offer_accept(account_id=ada.id, at=at)
    assert show(ada, at)["state"] == "accepted"
    assert show(bob, at)["offer"]["opponent_accepted"] is True
    match_offer_accept(account_id=bob.id, at=at)
    seen = show(ada, at)
    assert (seen["state"], seen["race"]) == ("matched", show(bob, at)["race"])
    race = read_race(seen["race"], ada)
    assert (race["phase"], race["rated"]) == ("countdown", False)
    match_offer_accept(account_id=bob.id, at=at)
    assert Race.objects.count() == 1


def test_match_of_registered_players_is_rated() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one in (dora, emil):
        seek(one, at)
    for one in (dora, emil):
        match_offer_accept(account_id=one.id, at=at)
    assert read_race(show(dora, at)["race"])["rated"] is True
    with pytest.raises(ServiceRefusal) as refused:
        seek(dora, at)
    assert refused.value.code == "race.one_rated"


@pytest.mark.parametrize("rated", [True, False])
def test_who_stays_when_the_opponent_leaves_is_first_in_the_queue(
    ada: Account, bob: Account, rated: bool
) -> None:
    leaver, stayer = (member("Dora"), member("Emil")) if rated else (ada, bob)
    at = now()
    for one in (leaver, stayer):
        seek(one, at)
    for one in (leaver, stayer):
        match_offer_accept(account_id=one.id, at=at)
    race_id = show(leaver, at)["race"]
    later = at + timedelta(seconds=4)
    race_leave(account_id=leaver.id, race_id=race_id, at=later)
    assert Race.objects.get(id=race_id).cancelled_at == later
    seen = show(stayer, later)
    assert (seen["state"], seen["race"], seen["waited_ms"]) == ("waiting", None, 4000)
    assert MatchTicket.objects.get().is_first
    # Only leaving a rated race has a penalty.
    wait = leaver_penalty_show(leaver.id, later)
    assert (wait is not None) is rated
    if wait is not None:
        assert "countdown" in wait["reason"]
    assert leaver_penalty_show(stayer.id, later) is None


def test_offer_ends_if_a_player_is_in_a_race_or_blocked(
    ada: Account, bob: Account
) -> None:
    at = now()
    for one in (ada, bob):
        seek(one, at)
    Block.objects.create(account=ada, blocked=bob, made_at=at)
    for one in (ada, bob):
        match_offer_accept(account_id=one.id, at=at)
    assert not Race.objects.exists()
    assert [show(one, at)["state"] for one in (ada, bob)] == ["waiting"] * 2
    # Blocking an opponent who was offered declines them.
    rows = MatchDecline.objects.values_list("account_id", "other_id")
    assert list(rows) == [(ada.id, bob.id)]


def test_people_are_not_matched_with_bots(ada: Account) -> None:
    at = now()
    seek(ada, at)
    seek(member("Rob", is_bot=True), at)
    assert show(ada, at + timedelta(seconds=40))["state"] == "waiting"


def test_each_format_has_its_own_queue(ada: Account, bob: Account) -> None:
    at = now()
    seek(ada, at)
    seek(bob, at, "speed")
    assert show(ada, at)["state"] == "waiting"
    seek(bob, at)
    assert show(ada, at)["state"] == "offered"


def test_expired_offer_keeps_only_the_ticket_that_accepted(
    ada: Account, bob: Account
) -> None:
    at = now()
    seek(ada, at)
    seek(bob, at)
    match_offer_accept(account_id=ada.id, at=at)
    late = at + OFFER_LIFETIME
    assert matchmaking_advance(at=late) >= 1
    assert matchmaking_advance(at=late) == 0
    seen = show(ada, late)
    assert (seen["state"], seen["waited_ms"]) == ("waiting", 20_000)
    assert show(bob, late)["state"] == "idle"
    with pytest.raises(ServiceRefusal) as refused:
        match_offer_accept(account_id=ada.id, at=late)
    assert refused.value.code == "match.no_offer"


def test_declined_offer_returns_the_other_player_to_the_queue(
    ada: Account, bob: Account
) -> None:
    at = now()
    seek(ada, at)
    seek(bob, at)
    match_ticket_leave(account_id=bob.id, at=at)
    match_ticket_leave(account_id=bob.id, at=at)
    assert show(ada, at)["state"] == "waiting"


def test_ticket_that_is_not_refreshed_is_dropped(ada: Account, bob: Account) -> None:
    at = now()
    seek(ada, at)
    later = at + TICKET_TIMEOUT + timedelta(seconds=1)
    seek(bob, later)
    assert show(bob, later)["state"] == "waiting"
    assert show(ada, later)["state"] == "idle"


def test_bot_can_be_raced_after_waiting_alone(ada: Account) -> None:
    at = now()
    seek(ada, at)
    with pytest.raises(ServiceRefusal) as refused:
        match_race_bot(account_id=ada.id, house="House Rat", at=at)
    assert refused.value.code == "match.house_not_yet"
    later = at + BOT_OFFER_AFTER
    assert show(ada, later)["house"] is True
    match_race_bot(account_id=ada.id, house="House Rat", at=later)
    seen = show(ada, later)
    assert (seen["state"], seen["house"]) == ("matched", False)
    assert read_race(seen["race"], ada)["entrants"][1]["player"] == "House Rat"
    with pytest.raises(ServiceRefusal) as refused:
        match_race_bot(account_id=ada.id, house="House Rat", at=later)
    assert refused.value.code == "match.not_queued"


def test_recent_opponents_are_not_paired_while_another_player_waits(
    ada: Account, bob: Account, cleo: Account
) -> None:
    at = now()
    for one in (ada, bob):
        seek(one, at)
    for one in (ada, bob):
        match_offer_accept(account_id=one.id, at=at)
    later = at + timedelta(minutes=2)
    MatchTicket.objects.all().delete()
    for one in (ada, bob, cleo):
        create_ticket(one, later)
    matchmaking_advance(at=later)
    pairs = [show(one, later)["offer"] for one in (ada, bob)]
    opponents = {pair["opponent"] for pair in pairs if pair}
    assert cleo.name in opponents
    assert not opponents & {ada.name, bob.name}


def test_ticket_has_the_rating_of_its_ruleset() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    race_id = rated_race(dora, emil)
    play_all(race_id, [dora, emil])
    # The race may be a tie, which changes no rating, so set one.
    assert Rating.objects.filter(account=dora).update(rating=1612) == 1
    assert seek(dora, at).rating == pytest.approx(1612)
    assert match_ticket_join(
        account_id=dora.id, ruleset="flee-1", form="score", at=at
    ).rating == pytest.approx(1500)


def test_race_that_one_player_left_does_not_keep_two_players_apart(
    ada: Account, bob: Account, cleo: Account
) -> None:
    at = now()
    race_id = create_race([ada, bob], at)
    race_leave(account_id=bob.id, race_id=race_id, at=at)
    create_ticket(ada, at - timedelta(seconds=5))
    create_ticket(bob, at)
    create_ticket(cleo, at, rating=1550)
    matchmaking_advance(at=at)
    assert show(ada, at)["offer"]["opponent"] == bob.name


def use(*people: Account, at: datetime, **place: str) -> None:
    for account in people:
        place = {"address": "10.0.0.1", "agent": "Browser", **place}
        browser_record(account.id, at=at, **place)


def accept(*people: Account, at: datetime) -> None:
    for account in people:
        match_offer_accept(account_id=account.id, at=at)


@pytest.mark.parametrize("agents", [("Firefox", "Firefox"), ("Firefox", "Chrome")])
def test_linked_accounts_are_matched_unrated_if_nobody_else_is_there(
    agents: tuple[str, str],
) -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one, agent in zip((dora, emil), agents, strict=True):
        use(one, at=at, agent=agent)
        seek(one, at)
    assert show(dora, at + timedelta(seconds=19))["state"] == "waiting"
    later = at + timedelta(seconds=20)
    offer = show(dora, later)["offer"]
    assert (offer["rated"], offer["linked"]) == (False, True)
    accept(dora, emil, at=later)
    race_id = show(emil, later)["race"]
    seen = read_race(race_id, dora)
    assert (seen["rated"], seen["gives_points"], seen["linked"]) == (False, False, True)
    assert read_race(race_id)["linked"] is False
    race_advance(race_id, at=now() + timedelta(seconds=30))
    play_all(race_id, [dora, emil])
    assert not RatingChange.objects.exists()
    races_award_points(at=now() + timedelta(minutes=1))
    assert not PointsLine.objects.exists()
    assert not Run.objects.filter(ranked=True).exists()
    rematch = race_rematch(account_id=dora.id, race_id=race_id, at=now())["race_id"]
    assert read_race(rematch)["rated"] is False


def test_stranger_comes_before_a_linked_account() -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    at = now()
    use(dora, emil, at=at)
    for one in (dora, emil):
        seek(one, at)
    seek(fay, at + timedelta(seconds=20))
    offer = show(fay, at + timedelta(seconds=20))["offer"]
    assert offer["opponent"] in (dora.name, emil.name)
    assert (offer["rated"], offer["linked"]) == (True, False)


def test_linked_guests_are_matched_at_once(ada: Account, bob: Account) -> None:
    at = now()
    use(ada, bob, at=at)
    for one in (ada, bob):
        seek(one, at)
    offer = show(ada, at)["offer"]
    assert (offer["rated"], offer["linked"]) == (False, False)


def test_accounts_linked_after_a_rated_offer_are_offered_an_unrated_match() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one in (dora, emil):
        seek(one, at)
    assert show(dora, at)["offer"]["rated"] is True
    use(dora, emil, at=at)
    accept(dora, emil, at=at)
    assert not Race.objects.exists()
    assert [show(one, at)["state"] for one in (dora, emil)] == ["waiting"] * 2
    assert not MatchDecline.objects.exists()
    later = at + timedelta(seconds=20)
    assert show(emil, later)["offer"]["linked"] is True


def decline(account: Account, other: Account, at: datetime) -> None:
    """Let both be offered to each other; the first one declines."""
    for one in (account, other):
        seek(one, at)
    assert show(account, at)["offer"]["opponent"] == other.name
    match_ticket_leave(account_id=account.id, at=at)


def test_declining_pauses_the_offers_for_a_growing_time() -> None:
    dora, at = member("Dora"), now()
    others = [member(name) for name in ("Emil", "Fay", "Gil")]
    decline(dora, others[0], at)
    MatchTicket.objects.all().delete()
    decline(dora, others[1], at)
    seek(dora, at)
    seek(others[2], at)
    assert show(dora, at)["state"] == "waiting"
    assert pauses_of([dora.id, others[2].id], at=at) == {
        dora.id: at + timedelta(minutes=1)
    }
    # Fay, who was declined, is offered the next one at once.
    assert show(others[2], at)["offer"]["opponent"] == others[1].name
    MatchTicket.objects.exclude(account=dora).delete()
    later = at + timedelta(minutes=1)
    for one in (dora, others[2]):
        seek(one, later - timedelta(seconds=30))
        seek(one, later)
    assert show(dora, later)["offer"]["opponent"] == others[2].name


@pytest.mark.parametrize("how", ["declined", "ran_out", "joined", "changed", "bot"])
def test_every_way_not_to_accept_is_declining(how: str) -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    race_id = create_race([member("Host")])
    for one in (dora, emil):
        seek(one, at)
    accept(emil, at=at)
    later = at + timedelta(seconds=20)
    if how == "declined":
        match_ticket_leave(account_id=dora.id, at=at)
    elif how == "ran_out":
        matchmaking_advance(at=later)
    elif how == "joined":
        race_join(account_id=dora.id, race_id=race_id, at=at)
    elif how == "changed":
        seek(dora, at, "speed")
    else:
        MatchTicket.objects.update(accept_by=later + timedelta(minutes=1))
        match_race_bot(account_id=dora.id, house="House Rat", at=later)
    rows = MatchDecline.objects.values_list("account_id", "other_id")
    assert list(rows) == [(dora.id, emil.id)]
    match_ticket_leave(account_id=dora.id, at=later)
    assert MatchDecline.objects.count() == 1


def test_declined_opponents_are_not_offered_until_three_other_matches() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    decline(dora, emil, at)
    for one in (dora, emil):
        seek(one, at)
    assert show(dora, at + timedelta(seconds=40))["state"] == "waiting"
    MatchTicket.objects.all().delete()
    for n in range(3):
        seek(dora, at)
        seek(emil, at)
        assert show(dora, at)["state"] == "waiting"
        MatchTicket.objects.all().delete()
        other = member(f"Other {n}")
        race_id = create_paired_race([dora, other], at + timedelta(seconds=1))
        Entrant.objects.filter(race=race_id).update(is_live=False)
    for one in (emil, dora):
        seek(one, at)
    assert show(dora, at)["offer"]["opponent"] == emil.name


def test_declined_offers_are_deleted_after_a_day() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    decline(dora, emil, at)
    expired_rows_prune(at=at + timedelta(hours=23))
    assert MatchDecline.objects.exists()
    expired_rows_prune(at=at + timedelta(days=1))
    assert not MatchDecline.objects.exists()
