"""No page shows a card or the seed of a dungeon that is not revealed."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.contest.calendar import day_of
from game.models import (
    Account,
    AuditEntry,
    BoardEntry,
    Case,
    Daily,
    Entrant,
    Leaderboard,
    Race,
    Rating,
    Run,
)
from game.selectors.boards.leaderboards import PageRequest
from game.services.core.flags import flag_raise
from game.services.dailies.attempts import daily_run_start
from game.services.dailies.publish import daily_find
from game.services.dailies.views import daily_board_json
from game.services.runs.dungeons import dungeon_deck, seed_decrypt
from game.services.runs.runs import practice_start
from tests.admin.conftest import cards_in, page, recent_client, text_of
from tests.fixtures.accounts import person
from tests.fixtures.dailies import play_out as play_out_daily
from tests.fixtures.moderation import do, report
from tests.fixtures.races import play, play_out, start_race


@pytest.fixture
def world(
    quick: None, one_ruleset: None, mona: Account, milo: Account
) -> dict[str, Any]:
    """A race and a daily being played, a secret practice run, and a finished race."""
    now = timezone.now()
    ann, ben = person("Ann"), person("Ben")
    over = start_race([ann, ben], rated=False)
    play_out(over, ann)
    play_out(over, ben)
    live = start_race([ann, ben], rated=False)
    play(live, ann)
    daily = daily_find(on=day_of(now), ruleset="tavern-1", at=now)
    finished, _ = daily_run_start(account=ann, on=daily.on, ruleset="tavern-1", at=now)
    play_out_daily(finished, chance=3, ends_at=now + timedelta(seconds=9))
    daily_run_start(account=ben, on=daily.on, ruleset="tavern-1", at=now)
    practice_start(account=ann, at=now)
    report(ben, ann, "cheating", place="race", target=over, text="They knew.")
    flag_raise(
        subject_id=ann.id, kind="too_fast", evidence={"run": finished.id}, at=now
    )
    do(mona, "warn", ann, case_id=Case.objects.get().id)
    do(mona, "ban", ben)
    page = PageRequest(viewer_id=ann.id, limit=50)
    daily_board_json(on=daily.on, ruleset="tavern-1", pool="people", page=page, at=now)
    return {"ann": ann, "ben": ben, "over": over, "live": live, "daily": daily}


def addresses(world: dict[str, Any]) -> list[str]:
    """The addresses of all pages about this world."""
    models = (
        ("case", Case),
        ("account", Account),
        ("run", Run),
        ("race", Race),
        ("daily", Daily),
        ("leaderboard", Leaderboard),
        ("rating", Rating),
        ("auditentry", AuditEntry),
    )
    rows = [page(name, row.pk) for name, model in models for row in model.objects.all()]
    acts = [page("act", act.pk) for act in Case.objects.get().acts.all()]
    lists = [page(name) for name, _ in models]
    ann, ben = world["ann"].name, world["ben"].name
    runs = list(Run.objects.values_list("id", flat=True))
    return [
        *(
            "/desk/",
            "/desk/jobs/",
            "/desk/words/",
            "/desk/prove/",
            "/desk/side-by-side/",
        ),
        *(f"/desk/shared/?first={ann}&second={ben}",),
        *(f"/desk/side-by-side/?first={runs[0]}&second={one}" for one in runs),
        *lists,
        *rows,
        *acts,
        *(page("act"), page("appeal")),
        *(f"{page(name)}?q={ann}" for name in ("run", "race", "account", "rating")),
        *(f"{page('run')}?q={world[key]}" for key in ("live", "over")),
        f"{page('run')}?q={world['daily'].id}",
    ]


def open_cards(address: str) -> set[str]:
    """The cards that a page may show: those of its public runs."""
    shown = [
        run
        for run in Run.objects.select_related("dungeon")
        if run.id in address and run.dungeon.revealed_at and run.status != "playing"
    ]
    return {
        str(card)
        for run in shown
        for card in dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    }


def test_no_page_contains_a_hidden_card_or_seed(
    anna: Account, world: dict[str, Any]
) -> None:
    client = recent_client(anna)
    hidden = Run.objects.filter(dungeon__revealed_at=None).select_related("dungeon")
    seeds = [seed_decrypt(run.dungeon_id, run.dungeon.seed_sealed) for run in hidden]
    sealed = [run.dungeon.seed_sealed for run in hidden]
    daily = world["daily"]
    masters = [seed_decrypt(daily.id, daily.master_sealed), daily.master_sealed]
    assert len(seeds) >= 4
    seen = 0
    for address in addresses(world):
        answer = client.get(address)
        assert answer.status_code == 200, (address, text_of(answer))
        assert cards_in(answer) <= open_cards(address), address
        seen += len(cards_in(answer))
        for secret in (*seeds, *sealed, *masters):
            assert secret not in text_of(answer), address
    assert seen > 0  # the pages of the finished race show its replays


def test_run_in_a_live_dungeon_shows_no_progress(
    mona_client: Client, world: dict[str, Any]
) -> None:
    run = Entrant.objects.get(race_id=world["live"], account=world["ann"]).run
    assert run is not None
    answer = mona_client.get(page("run", run.id))
    assert "once it is over and its dungeon is revealed" in text_of(answer)
    assert "not shown yet" in text_of(answer)


def test_finished_run_of_an_unsettled_daily_shows_no_score(
    mona_client: Client, world: dict[str, Any]
) -> None:
    run = Run.objects.get(kind="daily", account=world["ann"])
    assert run.score is not None
    assert "not shown yet" in text_of(mona_client.get(page("run", run.id)))
    board = BoardEntry.objects.filter(account=world["ann"], board__key="daily").first()
    assert board is not None
    shown = text_of(mona_client.get(page("leaderboard", board.board_id)))
    assert "Hidden until the daily is settled." in shown
    assert "Ann" not in shown


def test_public_runs_are_replayed_side_by_side(
    mona_client: Client, world: dict[str, Any]
) -> None:
    runs = [one.run_id for one in Entrant.objects.filter(race_id=world["over"])]
    answer = mona_client.get(page("run", runs[0]))
    assert text_of(answer).count("data-card=") > 4
    side = mona_client.get(f"/desk/side-by-side/?first={runs[0]}&second={runs[1]}")
    assert text_of(side).count('<table class="replay">') == 2


def test_filters_on_sealed_columns_are_refused(
    mona_client: Client, world: dict[str, Any]
) -> None:
    for query in ("master_sealed__startswith=1", "dungeon__seed_sealed__contains=a"):
        assert mona_client.get(f"{page('daily')}?{query}").status_code == 400
