"""The reference players: blind to the order, deterministic, legal, about as strong."""

import random

import pytest

from game.analysis import PLAYERS, Chance, view_of
from game.analysis.par import play
from game.analysis.players.judgement import Judgement
from game.analysis.players.options import avoiding, options_of
from game.analysis.players.reference import futures_of
from game.analysis.solver.terms import code_of, terms_of
from game.rules import RULESETS, State, apply, deal, legal_moves, start


def positions(key: str, seed: str, count: int):
    """Doors and rooms half done, from random hardy runs over whole dungeons."""
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = start(RULESETS[key], deal(f"{seed}/{rng.random()}"))
        while moves := legal_moves(state):
            found.append(state)
            after = [apply(state, move)[0] for move in moves]
            alive = [one for one in after if one.status == "playing"]
            state = rng.choice(alive or after)
    return rng.sample(found, count)


def garbled(state: State, rng: random.Random) -> State:
    """The same table with another hidden part: nonsense where the player cannot see."""
    hidden = len(state.dungeon) - state.known
    nonsense = tuple(rng.choice(state.dungeon or state.room) for _ in range(hidden))
    return state._replace(dungeon=nonsense + state.dungeon[hidden:])


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("key", RULESETS)
def test_no_player_sees_the_hidden_part(name, key):
    rng = random.Random(name)
    for state in positions(
        key, f"blind/{name}", 2 if name in {"mc20-1", "mc50-1"} else 5
    ):
        hidden = garbled(state, rng)
        assert view_of(hidden) == view_of(state)
        plans = [
            PLAYERS[name].plan(view_of(one), Chance("same")) for one in (state, hidden)
        ]
        assert plans[0] == plans[1]


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("key", RULESETS)
def test_plans_are_legal_to_the_end_of_the_room(name, key):
    for state in positions(
        key, f"legal/{name}", 2 if name in {"mc20-1", "mc50-1"} else 5
    ):
        view = view_of(state)
        plan = PLAYERS[name].plan(view, Chance("legal"))
        assert plan[0] == PLAYERS[name].move(view, Chance("legal"))
        after = state
        for move in plan:
            after, _ = apply(after, move)
        if name != "random-1":
            assert after.status != "playing" or after.faced_in_room == 0


def test_the_same_chance_gives_the_same_run():
    root = start(RULESETS["tavern-1"], deal("again"))
    ends = [play(PLAYERS["mc10-1"], root, Chance("a")) for _ in range(2)]
    assert ends[0] == ends[1]


def test_a_view_knows_what_was_seen_and_no_more():
    state = start(RULESETS["tavern-1"], deal("view"))
    view = view_of(state)
    assert (len(view.unseen), view.unseen_left, view.bottom) == (40, 40, ())
    state, _ = apply(state, "avoid")
    view = view_of(state)
    assert set(view.bottom).isdisjoint(view.unseen)
    assert (len(view.unseen), view.unseen_left, len(view.bottom)) == (36, 36, 4)
    assert not view.may_avoid
    assert list(view.unseen) == sorted(view.unseen, key=list(view.unseen).index)


def test_futures_shuffle_the_unseen_and_keep_the_bottom():
    state = start(RULESETS["tavern-1"], deal("futures"))
    state, _ = apply(state, "avoid")
    view = view_of(state)
    futures = futures_of(view, Chance("x"), 20)
    bottom = bytes(map(code_of, view.bottom))
    assert len(set(futures)) == 20
    for future in futures:
        assert future.endswith(bottom)
        assert sorted(future[:-4]) == sorted(map(code_of, view.unseen))


def test_options_are_distinct_alive_and_sorted():
    for state in positions("tavern-1", "options", 30):
        options = options_of(view_of(state))
        assert len({option[2:] for option in options}) == len(options)
        worths = [option.worth for option in options]
        assert worths == sorted(worths, reverse=True)
        for option in options:
            after = state
            for move in option.moves:
                after, _ = apply(after, move)
            assert after.status != "died"
            assert after.health == option.health


def test_avoiding_keeps_the_player_as_he_is():
    view = view_of(start(RULESETS["tavern-1"], deal("avoid")))
    option = avoiding(view)
    assert (option.moves, option.health, option.weapon) == (("avoid",), 20, 0)


def test_chance_is_fair_and_fixed():
    """The numbers are part of every published player: they may never change."""
    chance = Chance("fixed")
    assert [chance.below(1000) for _ in range(4)] == FIXED
    cards = bytes(range(6))
    chance = Chance("fair")
    firsts = [chance.shuffled(cards)[0] for _ in range(6000)]
    counts = [firsts.count(card) for card in cards]
    assert min(counts) > 880
    assert max(counts) < 1120
    assert sorted(chance.shuffled(cards)) == list(cards)


FIXED = [673, 408, 561, 275]


@pytest.mark.parametrize(("key", "low", "high"), [("tavern-1", 0.035, 0.085)])
def test_greedy_clears_about_one_dungeon_in_twenty(key, low, high):
    judgement = Judgement(terms_of(RULESETS[key], 20))
    games = 500
    cards = [bytes(map(code_of, deal(f"strength-{n}"))) for n in range(games)]
    won = sum(judgement.play_out(one, 20, 0, True) > 0 for one in cards)
    assert low < won / games < high


def test_the_play_out_is_the_greedy_player_on_the_engine():
    judgement = Judgement(terms_of(RULESETS["tavern-1"], 20))
    for number in range(60):
        deck = deal(f"twin-{number}")
        root = start(RULESETS["tavern-1"], deck)
        end = play(PLAYERS["greedy-1"], root, Chance("none"))
        score = judgement.play_out(bytes(map(code_of, deck)), 20, 0, True)
        assert (end.status == "cleared") == (score > 0)


def test_sampling_beats_greed():
    roots = [start(RULESETS["tavern-1"], deal(f"duel-{n}")) for n in range(7)]
    won = {
        name: sum(
            play(PLAYERS[name], root, Chance(str(n))).status == "cleared"
            for n, root in enumerate(roots)
        )
        for name in ("greedy-1", "mc10-1")
    }
    assert won["mc10-1"] > won["greedy-1"]
