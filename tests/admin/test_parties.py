"""Staff who play: the desk offers no act on their own contests, nor a view of them."""

import pytest
from django.test import Client

from game.models import Account, Entrant
from tests.admin.conftest import page, text_of
from tests.fixtures_accounts import person
from tests.fixtures_moderation import do
from tests.fixtures_races import begun

pytestmark = [pytest.mark.sqlite]


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
