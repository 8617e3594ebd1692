"""The reference players: no view of hidden cards, deterministic, legal, strong."""

import random

import pytest

from game.analysis import PLAYERS, SeededRandom, view_of
from game.analysis.assessment import play_to_end
from game.analysis.players.evaluation import GreedyEvaluator
from game.analysis.players.options import avoid_option, room_options
from game.analysis.players.reference import sample_futures
from game.analysis.solver.encoding import code_of, solver_rules
from game.rules import RULESETS, State, apply, deal, legal_moves, start


def positions(key: str, seed: str, count: int):
    """Random positions of runs through whole dungeons, inside and between rooms."""
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


def with_other_hidden_cards(state: State, rng: random.Random) -> State:
    """The same table with random cards in place of those the player cannot see."""
    hidden = len(state.dungeon) - state.known
    nonsense = tuple(rng.choice(state.dungeon or state.room) for _ in range(hidden))
    return state._replace(dungeon=nonsense + state.dungeon[hidden:])


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("key", RULESETS)
def test_players_do_not_see_hidden_cards(name, key):
    rng = random.Random(name)
    for state in positions(
        key, f"blind/{name}", 2 if name in {"mc20-1", "mc50-1"} else 5
    ):
        hidden = with_other_hidden_cards(state, rng)
        assert view_of(hidden) == view_of(state)
        plans = [
            PLAYERS[name].plan(view_of(one), SeededRandom("same"))
            for one in (state, hidden)
        ]
        assert plans[0] == plans[1]


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("key", RULESETS)
def test_plans_are_legal_to_the_end_of_the_room(name, key):
    for state in positions(
        key, f"legal/{name}", 2 if name in {"mc20-1", "mc50-1"} else 5
    ):
        view = view_of(state)
        plan = PLAYERS[name].plan(view, SeededRandom("legal"))
        assert plan[0] == PLAYERS[name].move(view, SeededRandom("legal"))
        after = state
        for move in plan:
            after, _ = apply(after, move)
        if name != "random-1":
            assert after.status != "playing" or after.faced_in_room == 0


def test_same_seed_gives_the_same_run():
    root = start(RULESETS["tavern-1"], deal("again"))
    ends = [play_to_end(PLAYERS["mc10-1"], root, SeededRandom("a")) for _ in range(2)]
    assert ends[0] == ends[1]


def test_view_has_only_the_cards_that_were_seen():
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
    futures = sample_futures(view, SeededRandom("x"), 20)
    bottom = bytes(map(code_of, view.bottom))
    assert len(set(futures)) == 20
    for future in futures:
        assert future.endswith(bottom)
        assert sorted(future[:-4]) == sorted(map(code_of, view.unseen))


def test_options_are_distinct_survivable_and_sorted():
    for state in positions("tavern-1", "options", 30):
        options = room_options(view_of(state))
        assert len({option[2:] for option in options}) == len(options)
        values = [option.value for option in options]
        assert values == sorted(values, reverse=True)
        for option in options:
            after = state
            for move in option.moves:
                after, _ = apply(after, move)
            assert after.status != "died"
            assert after.health == option.health


def test_avoid_option_changes_neither_health_nor_weapon():
    view = view_of(start(RULESETS["tavern-1"], deal("avoid")))
    option = avoid_option(view)
    assert (option.moves, option.health, option.weapon) == (("avoid",), 20, 0)


def test_seeded_random_is_fair_and_never_changes():
    """The numbers are part of every published player: they may never change."""
    rng = SeededRandom("fixed")
    assert [rng.below(1000) for _ in range(4)] == FIXED
    cards = bytes(range(6))
    rng = SeededRandom("fair")
    firsts = [rng.shuffled(cards)[0] for _ in range(6000)]
    counts = [firsts.count(card) for card in cards]
    assert min(counts) > 880
    assert max(counts) < 1120
    assert sorted(rng.shuffled(cards)) == list(cards)


FIXED = [673, 408, 561, 275]


@pytest.mark.parametrize(("key", "low", "high"), [("tavern-1", 0.035, 0.085)])
def test_greedy_clears_about_one_dungeon_in_twenty(key, low, high):
    evaluator = GreedyEvaluator(solver_rules(RULESETS[key], 20))
    games = 500
    cards = [bytes(map(code_of, deal(f"strength-{n}"))) for n in range(games)]
    won = sum(evaluator.play_out(one, 20, 0, True) > 0 for one in cards)
    assert low < won / games < high


def test_playout_ends_like_the_greedy_player_on_the_engine():
    evaluator = GreedyEvaluator(solver_rules(RULESETS["tavern-1"], 20))
    for number in range(60):
        deck = deal(f"twin-{number}")
        root = start(RULESETS["tavern-1"], deck)
        end = play_to_end(PLAYERS["greedy-1"], root, SeededRandom("none"))
        score = evaluator.play_out(bytes(map(code_of, deck)), 20, 0, True)
        assert (end.status == "cleared") == (score > 0)


def test_sampling_player_clears_more_than_greedy():
    roots = [start(RULESETS["tavern-1"], deal(f"duel-{n}")) for n in range(7)]
    won = {
        name: sum(
            play_to_end(PLAYERS[name], root, SeededRandom(str(n))).status == "cleared"
            for n, root in enumerate(roots)
        )
        for name in ("greedy-1", "mc10-1")
    }
    assert won["mc10-1"] > won["greedy-1"]
