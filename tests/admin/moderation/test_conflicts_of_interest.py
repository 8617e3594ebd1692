"""Staff who play: the desk offers no act on their own contests, nor a view of them."""

from django.test import Client

from game.models import Account, Entrant, RaceEvent
from game.selectors.races.snapshots import Viewer, race_events
from game.services.races.chat import race_say
from tests.admin.conftest import page, text_of
from tests.fixtures.accounts import person
from tests.fixtures.moderation import do
from tests.fixtures.races import begun, now, play, play_all


def test_the_desk_offers_no_act_on_a_contest_of_ones_own(
    mona: Account, mona_desk: Client, milo: Account, milo_desk: Client
) -> None:
    race_id = begun([mona, person("Ann")], rated=False)
    run = Entrant.objects.get(race_id=race_id, account__name="Ann").run
    assert run is not None
    for address in (page("race", race_id), page("run", run.id)):
        assert 'name="do"' not in text_of(mona_desk.get(address))
        assert 'name="do"' in text_of(milo_desk.get(address))


def test_the_desk_asks_nobody_about_himself(
    anna: Account, milo: Account, milo_desk: Client, anna_desk: Client
) -> None:
    act = do(anna, "ban", milo)
    assert 'name="do"' not in text_of(milo_desk.get(page("act", act.id)))
    assert 'name="do"' in text_of(anna_desk.get(page("act", act.id)))
    assert milo_desk.post(page("act", act.id), {"do": "decline"}).status_code == 409
    act.refresh_from_db()
    assert act.state == "proposed"


def test_a_live_race_shows_no_more_than_an_onlooker_sees(
    mona: Account, mona_desk: Client, milo_desk: Client
) -> None:
    ann = person("Ann")
    race_id = begun([mona, ann], rated=False)
    play(race_id, ann, "avoid")  # a move that others are told nothing of
    run = Entrant.objects.get(race_id=race_id, account=ann).run
    assert run is not None
    moved = RaceEvent.objects.get(race_id=race_id, kind="moved")
    shown = race_events(race_id, 0, Viewer(None))
    kinds = [f"{one['seq']} {one['kind']}" for one in shown]
    assert f"{moved.seq} hidden" in kinds
    for client in (mona_desk, milo_desk):
        text = text_of(client.get(page("race", race_id)))
        assert all(kind in text for kind in kinds)
        assert f"{moved.seq} moved" not in text
        text = text_of(client.get(page("run", run.id)))
        assert "<dt>Moves</dt><dd>not shown yet</dd>" in text
        assert "<dt>Status</dt><dd>live</dd>" in text
        assert "cards faced" not in text


def test_who_races_does_not_read_what_is_said_there(
    mona: Account, mona_desk: Client, milo_desk: Client, eve: Account
) -> None:
    ann = person("Ann")
    race_id = begun([mona, ann], rated=False)
    race_say(account_id=eve.id, race_id=race_id, text="kings ahead", at=now())
    for address in (page("race", race_id), page("account", eve.id)):
        assert "kings ahead" not in text_of(mona_desk.get(address))
        assert "kings ahead" in text_of(milo_desk.get(address))
    assert "while you take part in this race" in text_of(
        mona_desk.get(page("race", race_id))
    )
    play_all(race_id, [mona, ann])
    assert "kings ahead" in text_of(mona_desk.get(page("race", race_id)))
