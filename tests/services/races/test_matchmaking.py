"""Matchmaking: queue, offer, acceptance, race, and each way to leave."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from game.contest.pairing import BOT_OFFER_AFTER, OFFER_LIFETIME
from game.models import Account, Block, MatchTicket, Race, Rating
from game.selectors.races.leaver_penalty import leaver_penalty_show
from game.selectors.races.match_tickets import match_json
from game.services.accounts.browsers import browser_record
from game.services.core.errors import ServiceRefusal
from game.services.races.commands import race_leave
from game.services.races.matchmaking import (
    TICKET_TIMEOUT,
    match_offer_accept,
    match_race_bot,
    match_ticket_join,
    match_ticket_leave,
    match_ticket_refresh,
    matchmaking_advance,
)
from tests.fixtures.races import member, now, play_all, race_of, see
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
    race = see(seen["race"], ada)
    assert (race["phase"], race["rated"]) == ("countdown", False)
    match_offer_accept(account_id=bob.id, at=at)
    assert Race.objects.count() == 1


def test_match_of_registered_players_is_rated() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one in (dora, emil):
        seek(one, at)
    for one in (dora, emil):
        match_offer_accept(account_id=one.id, at=at)
    assert see(show(dora, at)["race"])["rated"] is True
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
    match_ticket_leave(account_id=bob.id)
    match_ticket_leave(account_id=bob.id)
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
    assert see(seen["race"], ada)["entrants"][1]["player"] == "House Rat"
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
    race_id = race_of([ada, bob], at)
    race_leave(account_id=bob.id, race_id=race_id, at=at)
    create_ticket(ada, at - timedelta(seconds=5))
    create_ticket(bob, at)
    create_ticket(cleo, at, rating=1550)
    matchmaking_advance(at=at)
    assert show(ada, at)["offer"]["opponent"] == bob.name


def test_accounts_of_one_browser_are_not_paired_for_ratings(
    ada: Account, bob: Account
) -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one in (dora, emil, ada, bob):
        browser_record(one.id, address="10.0.0.1", agent="Browser", at=at)
    for one in (dora, emil):
        seek(one, at)
    assert show(dora, at)["state"] == "waiting"
    fay = member("Fay")
    seek(fay, at)
    assert show(fay, at)["offer"]["opponent"] in (dora.name, emil.name)
    # Guests are not rated; two of one browser may race each other.
    MatchTicket.objects.all().delete()
    for one in (ada, bob):
        seek(one, at)
    assert show(ada, at)["offer"]["rated"] is False


def test_match_of_accounts_linked_after_the_offer_is_refused() -> None:
    dora, emil, at = member("Dora"), member("Emil"), now()
    for one in (dora, emil):
        seek(one, at)
    for one in (dora, emil):
        browser_record(one.id, address="10.0.0.1", agent="Browser", at=at)
    match_offer_accept(account_id=dora.id, at=at)
    with pytest.raises(ServiceRefusal) as refused:
        match_offer_accept(account_id=emil.id, at=at)
    assert refused.value.code == "race.linked_accounts"
    assert not Race.objects.exists()
