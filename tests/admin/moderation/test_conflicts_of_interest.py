"""Staff who play get no forms and no hidden data about their own contests."""

from django.test import Client

from game.models import Account, Daily, Entrant, RaceEvent
from game.selectors.races.snapshots import Viewer, race_events
from game.services.dailies.settle import daily_settle
from game.services.moderation.appeals import appeal_make
from game.services.races.chat import chat_send
from tests.admin.conftest import page, text_of
from tests.fixtures.accounts import person
from tests.fixtures.dailies import SETTLES, attempt
from tests.fixtures.moderation import do
from tests.fixtures.races import now, play, play_all, start_race


def test_no_form_is_offered_for_own_contest(
    mona: Account, mona_client: Client, milo: Account, milo_client: Client
) -> None:
    race_id = start_race([mona, person("Ann")], rated=False)
    run = Entrant.objects.get(race_id=race_id, account__name="Ann").run
    assert run is not None
    for address in (page("race", race_id), page("run", run.id)):
        assert 'name="do"' not in text_of(mona_client.get(address))
        assert 'name="do"' in text_of(milo_client.get(address))


def test_subject_of_a_proposal_gets_no_form(
    anna: Account, milo: Account, milo_client: Client, anna_client: Client
) -> None:
    act = do(anna, "ban", milo)
    assert 'name="do"' not in text_of(milo_client.get(page("act", act.id)))
    assert 'name="do"' in text_of(anna_client.get(page("act", act.id)))
    assert milo_client.post(page("act", act.id), {"do": "decline"}).status_code == 409
    act.refresh_from_db()
    assert act.state == "proposed"


def test_live_race_shows_what_spectators_see(
    mona: Account, mona_client: Client, milo_client: Client
) -> None:
    ann = person("Ann")
    race_id = start_race([mona, ann], rated=False)
    play(race_id, ann, "avoid")  # a move that spectators do not see
    run = Entrant.objects.get(race_id=race_id, account=ann).run
    assert run is not None
    moved = RaceEvent.objects.get(race_id=race_id, kind="moved")
    shown = race_events(race_id, 0, Viewer(None))
    kinds = [f"{one['seq']} {one['kind']}" for one in shown]
    assert f"{moved.seq} hidden" in kinds
    for client in (mona_client, milo_client):
        text = text_of(client.get(page("race", race_id)))
        assert all(kind in text for kind in kinds)
        assert f"{moved.seq} moved" not in text
        text = text_of(client.get(page("run", run.id)))
        assert "<dt>Moves</dt><dd>not shown yet</dd>" in text
        assert "<dt>Status</dt><dd>live</dd>" in text
        assert "cards faced" not in text


def test_entrant_does_not_see_chat_of_their_live_race(
    mona: Account, mona_client: Client, milo_client: Client, eve: Account
) -> None:
    ann = person("Ann")
    race_id = start_race([mona, ann], rated=False)
    chat_send(account_id=eve.id, race_id=race_id, text="kings ahead", at=now())
    for address in (page("race", race_id), page("account", eve.id)):
        assert "kings ahead" not in text_of(mona_client.get(address))
        assert "kings ahead" in text_of(milo_client.get(address))
    assert "while you take part in this race" in text_of(
        mona_client.get(page("race", race_id))
    )
    play_all(race_id, [mona, ann])
    assert "kings ahead" in text_of(mona_client.get(page("race", race_id)))


def test_entrant_gets_no_form_of_an_appeal_about_their_race(
    mona: Account, mona_client: Client, milo_client: Client, anna: Account
) -> None:
    ann = person("Ann")
    race_id = start_race([mona, ann], rated=False)
    act = do(anna, "disqualify", ann, target=race_id)
    made = appeal_make(account_id=ann.id, act_id=act.id, text="No!", at=now())
    address = page("appeal", made.id)
    assert 'name="do"' not in text_of(mona_client.get(address))
    assert 'name="do"' in text_of(milo_client.get(address))


def test_player_of_a_daily_gets_no_form_on_it(
    daily: Daily, mona: Account, mona_client: Client, milo_client: Client
) -> None:
    attempt(mona, chance=3)
    daily_settle(daily.id, at=SETTLES)
    address = page("daily", daily.id)
    assert 'name="do"' not in text_of(mona_client.get(address))
    assert 'name="do"' in text_of(milo_client.get(address))
