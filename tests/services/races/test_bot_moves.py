"""Moves of bots and ghosts: on time, once, and from visible cards only."""

from datetime import timedelta
from typing import Any

import pytest

from game.analysis.players import PLAYERS, SeededRandom, view_of
from game.models import Account, Entrant, Move, Race, Run
from game.rules import deal, fold, legal_moves, start
from game.rules.rulesets import RULESETS
from game.services.core.errors import Kind, ServiceRefusal
from game.services.maintenance.tick import JOBS
from game.services.races.bot_moves import bot_moves_play
from game.services.races.bot_pacing import MAX_PAUSE_MS, MIN_PAUSE_MS
from game.services.races.bots import BOTS, GHOST_BOT, PLAYER_KEYS, bot_account
from game.services.races.create import RaceTerms, race_make
from game.services.races.timeouts import race_advance
from game.services.runs.moves.play import move_play
from game.services.runs.runs import practice_start
from tests.fixtures.races import backdate, now, play_out, read_race

pytestmark = pytest.mark.django_db


def against(account: Account, **asked) -> str:
    """Create a race of the account against a bot or a ghost, started just now."""
    at = now() - timedelta(seconds=5, milliseconds=10)
    made = race_make(account_id=account.id, terms=RaceTerms(ready=True, **asked), at=at)
    race_advance(made["race_id"], at=now())
    return str(made["race_id"])


def bot_entrant(race_id: str) -> Entrant:
    return Entrant.objects.exclude(kind="player").get(race_id=race_id)


def make_due(race_id: str) -> None:
    """Make the bot's next move due now."""
    Entrant.objects.filter(race_id=race_id, turn_at__isnull=False).update(turn_at=now())


def test_race_against_a_bot_counts_down_at_once(ada: Account) -> None:
    made = race_make(
        account_id=ada.id, terms=RaceTerms(house="house rat", ready=True), at=now()
    )
    seen = read_race(made["race_id"], ada)
    assert seen["phase"] == "countdown"
    assert [one["kind"] for one in seen["entrants"]] == ["player", "house"]
    assert seen["rated"] is False


def test_bots_have_accounts_without_passwords(db: None) -> None:
    for house in BOTS:
        account = bot_account(house.name)
        assert account == bot_account(house.name.upper())
        assert account.is_bot
        assert not account.has_usable_password()
        assert PLAYER_KEYS[account.id] in PLAYERS
    with pytest.raises(ServiceRefusal) as refused:
        bot_account("House Cat")
    assert refused.value.code == "race.no_such_house"


def test_bot_gets_another_name_if_a_player_has_it(db: None) -> None:
    Account.objects.create(name=BOTS[0].name)
    assert bot_account(BOTS[0].name).name != BOTS[0].name


def test_bot_moves_at_its_time(ada: Account) -> None:
    race_id = against(ada, house="House Rat")
    one, starts_at = bot_entrant(race_id), Race.objects.get(id=race_id).starts_at
    assert one.turn_at is not None
    assert starts_at is not None
    pause = (one.turn_at - starts_at) / timedelta(milliseconds=1)
    assert MIN_PAUSE_MS <= pause < MAX_PAUSE_MS
    assert bot_moves_play(at=one.turn_at - timedelta(milliseconds=1)) == 0
    assert bot_moves_play(at=one.turn_at) == 1
    assert bot_moves_play(at=one.turn_at) == 0
    assert Move.objects.get().run_id == one.run_id
    after = bot_entrant(race_id)
    assert after.turn_at is not None
    assert after.turn_at > one.turn_at


def test_bot_move_is_played_once(ada: Account) -> None:
    race_id = against(ada, house="House Rat")
    make_due(race_id)
    assert JOBS["bot_moves_play"](now()) == 1
    assert JOBS["bot_moves_play"](now()) == 0


def test_bot_move_interrupted_by_a_crash_is_retried(
    ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not the move was committed, it is stored once in the end."""
    race_id = against(ada, house="House Rat")
    for committed in (False, True):
        make_due(race_id)
        before = Move.objects.count()

        def broken(*, committed: bool = committed, **asked: Any) -> None:
            if committed:
                move_play(**asked)
            raise KeyboardInterrupt

        monkeypatch.setattr("game.services.races.bot_moves.move_play", broken)
        with pytest.raises(KeyboardInterrupt):
            bot_moves_play(at=now())
        monkeypatch.setattr("game.services.races.bot_moves.move_play", move_play)
        assert bot_moves_play(at=now()) == 0
        assert bot_moves_play(at=now() + timedelta(seconds=21)) == 1
        assert Move.objects.count() == before + 1 + committed
    run = bot_entrant(race_id).run
    assert run is not None
    assert run.index == Move.objects.count()


def test_race_closes_when_the_bot_has_finished(ada: Account) -> None:
    race_id = against(ada, house="House Rat")
    play_out(race_id, ada)
    for _ in range(70):
        if bot_entrant(race_id).turn_at is None:
            break
        make_due(race_id)
        bot_moves_play(at=now())
    seen = read_race(race_id, ada)
    assert seen["phase"] == "settled"
    assert {one["place"] for one in seen["entrants"]} <= {1, 2}
    assert all(one["rating_change"] is None for one in seen["entrants"])


def test_bots_do_not_move_after_the_deadline(ada: Account) -> None:
    race_id = against(ada, house="House Rat", time_limit_s=180)
    backdate(race_id, timedelta(seconds=180))
    make_due(race_id)
    assert bot_moves_play(at=now()) == 1
    assert not Move.objects.exists()
    assert bot_entrant(race_id).turn_at is None
    assert read_race(race_id)["phase"] == "settled"


@pytest.mark.parametrize("name", sorted(set(PLAYER_KEYS.values())))
def test_bots_ignore_hidden_cards(name: str) -> None:
    """With another order of the hidden cards, a bot chooses the same moves."""
    rules, deck = RULESETS["tavern-1"], list(deal("house"))
    known, hidden = deck[:4], deck[4:]
    chosen = [
        PLAYERS[name].plan(view_of(start(rules, order)), SeededRandom("x"))
        for order in (deck, known + sorted(hidden), known + hidden[::-1])
    ]
    assert chosen[0] == chosen[1] == chosen[2]


def recorded(account: Account) -> Run:
    """A practice run played to its death, a move each 700 ms."""
    run = practice_start(account=account, at=now() - timedelta(minutes=9), seed="a")
    state = start(RULESETS["tavern-1"], deal("a"))
    index = 0
    while True:
        answer = move_play(
            account_id=account.id,
            run_id=run.id,
            index=index,
            code=legal_moves(state)[0],
        )
        index += 1
        if answer["run"]["status"] != "playing":
            break
        codes = Move.objects.filter(run=run).order_by("index").values_list("code")
        state = fold(RULESETS["tavern-1"], deal("a"), [code for (code,) in codes])
    for move in Move.objects.filter(run=run):
        at = run.started_at + timedelta(milliseconds=700 * (move.index + 1))
        Move.objects.filter(id=move.id).update(at=at)
    run.refresh_from_db()
    return run


def test_ghost_replays_its_run_at_the_recorded_times(
    ada: Account, bob: Account
) -> None:
    run = recorded(bob)
    race_id = against(ada, ghost=run.id)
    seen = read_race(race_id, ada)
    assert seen["entrants"][1]["player"] == f"Ghost of {bob.name}"
    assert seen["run"]["room"] == ["4C", "KS", "2D", "TH"]
    starts_at = Race.objects.get(id=race_id).starts_at
    assert starts_at is not None
    for index in range(run.index):
        turn_at = bot_entrant(race_id).turn_at
        assert turn_at == starts_at + timedelta(milliseconds=700 * (index + 1))
        assert bot_moves_play(at=turn_at) == 1
    again = bot_entrant(race_id).run
    assert again is not None
    assert again.account_id == GHOST_BOT.account_id
    assert (again.status, again.score, again.snapshot) == (
        run.status,
        run.score,
        run.snapshot,
    )
    assert bot_entrant(race_id).turn_at is None


def test_ghosts_need_a_revealed_and_finished_run(ada: Account) -> None:
    secret = practice_start(account=ada, at=now())
    with pytest.raises(ServiceRefusal) as refused:
        against(ada, ghost=secret.id)
    assert (refused.value.code, refused.value.kind) == (
        "run.not_found",
        Kind.NOT_FOUND,
    )
    given = practice_start(account=ada, at=now(), seed="a")
    with pytest.raises(ServiceRefusal) as refused:
        against(ada, ghost=given.id)
    assert refused.value.code == "race.ghost_unfinished"
