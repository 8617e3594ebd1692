"""Observations: what they contain, and that they contain no hidden card."""

import json
import random
import re
from typing import Any

from game.rules import CARDS, Ruleset, State, apply, deal, legal_moves, observe, start
from game.rules.effects import as_json
from game.rules.observation import faced_count, observe_table, shown_count
from game.rules.schemas import LegalMove
from game.rules.snapshot import to_text
from tests.rules.table import BOUND, TAVERN, careful_walk, immortal, play, walks

DECK = ["5S", "8D", "9H", "JC", "2S", "3H", "6D", "7C", "AS"]
CODE = re.compile("|".join(CARDS))


def hidden_cards(state: State) -> set[str]:
    """The cards in the pile that the player has not seen."""
    return {str(card) for card in state.dungeon[: len(state.dungeon) - state.known]}


def cards_in(answer: object) -> set[str]:
    """Every card code anywhere in an observation, keys and sentences included."""
    return set(CODE.findall(json.dumps(answer)))


def _legal(state: State, move: str) -> LegalMove:
    return next(entry for entry in observe(state)["legal"] if entry["move"] == move)


def test_first_position() -> None:
    seen: Any = observe(start(TAVERN, DECK, health=15))
    assert {key: seen[key] for key in list(observe_table(start(TAVERN, DECK)))} == {
        "index": 0,
        "status": "playing",
        "health": 15,
        "cap": 20,
        "room": ["5S", "8D", "9H", "JC"],
        "faced_in_room": 0,
        "faced": 0,
        "room_number": 1,
        "weapon": None,
        "potion_used": False,
        "avoided_last": False,
        "dungeon_left": 5,
        "bottom": [],
    }
    assert seen["score"] is seen["breakdown"] is None
    assert seen["potential_score"] == -(5 + 11 + 2 + 7 + 14)
    assert [entry["move"] for entry in seen["legal"]] == [
        "5Sb",
        "8D",
        "9H",
        "JCb",
        "avoid",
    ]


def test_observation_is_plain_json(ruleset: Ruleset) -> None:
    for played in careful_walk(start(ruleset, deal("json")), random.Random(1)):
        seen = observe(played.after)
        assert json.loads(json.dumps(seen)) == seen


def test_legal_fights_have_their_damage() -> None:
    state = start(TAVERN, DECK, health=11, weapon="7D", kill_stack=["QS"])
    assert _legal(state, "JCw") == {
        "move": "JCw",
        "card": "JC",
        "action": "fight",
        "armed": True,
        "damage": 4,
        "heal": 0,
        "wasted": False,
        "health_after": 7,
        "lethal": False,
        "drops": [],
    }
    bare = _legal(state, "JCb")
    assert (bare["armed"], bare["damage"]) == (False, 11)
    assert (bare["health_after"], bare["lethal"]) == (0, True)
    assert _legal(state, "5Sw")["damage"] == 0


def test_legal_potions_have_their_healing() -> None:
    state = start(TAVERN, DECK, health=15)
    drink = _legal(state, "9H")
    assert (drink["action"], drink["armed"], drink["card"]) == ("drink", None, "9H")
    assert (drink["heal"], drink["wasted"], drink["health_after"]) == (5, False, 20)
    second = play(start(TAVERN, ["2H", "9H", "3S", "4S"], health=5), "2H")
    wasted = _legal(second, "9H")
    assert (wasted["heal"], wasted["wasted"], wasted["health_after"]) == (0, True, 7)


def test_legal_weapons_have_the_dropped_cards() -> None:
    held = start(TAVERN, DECK, weapon="TD", kill_stack=["QS", "4C"])
    equip = _legal(held, "8D")
    assert (equip["action"], equip["armed"]) == ("equip", None)
    assert equip["drops"] == ["TD", "QS", "4C"]
    assert _legal(start(TAVERN, DECK), "8D")["drops"] == []


def test_avoiding_costs_nothing() -> None:
    avoid = _legal(start(TAVERN, DECK), "avoid")
    assert (avoid["card"], avoid["armed"], avoid["action"]) == (None, None, "avoid")
    assert (avoid["damage"], avoid["heal"], avoid["health_after"]) == (0, 0, 20)


def test_each_predicted_consequence_is_what_happens(ruleset: Ruleset) -> None:
    for walk in walks(ruleset, 8, "told"):
        for played in walk:
            entry = _legal(played.before, str(played.move))
            assert entry["health_after"] == played.after.health
            assert entry["lethal"] == (played.after.status == "died")
            did = as_json(played.effects[0])
            assert entry["damage"] == did.get("damage", 0)
            assert entry["heal"] == did.get("amount", 0)
            assert entry["wasted"] == (did["kind"] == "wasted")
            assert entry["drops"] == did.get("discarded", [])


def test_the_weapon_and_its_limit() -> None:
    fresh = observe(start(TAVERN, DECK, weapon="7D"))["weapon"]
    assert fresh == {
        "card": "7D",
        "kill_stack": [],
        "limit": None,
        "limit_inclusive": False,
    }
    worn = observe(start(BOUND, DECK, weapon="7D", kill_stack=["QS", "4C"]))["weapon"]
    assert worn == {
        "card": "7D",
        "kill_stack": ["QS", "4C"],
        "limit": 4,
        "limit_inclusive": True,
    }


def test_blocked_moves_have_code_and_sentence() -> None:
    def blocked(state: State) -> dict[str, str]:
        return {entry["move"]: entry["code"] for entry in observe(state)["blocked"]}

    illegal = "move.illegal."
    assert blocked(start(TAVERN, DECK)) == {
        "5Sw": illegal + "no_weapon",
        "JCw": illegal + "no_weapon",
    }
    worn = start(TAVERN, DECK, weapon="7D", kill_stack=["9S"])
    assert blocked(worn) == {"JCw": illegal + "weapon_limit"}
    entry = observe(worn)["blocked"][0]
    assert entry["detail"] == "That weapon only reaches monsters below 9."
    assert blocked(play(worn, "9H")) == {
        "JCw": illegal + "weapon_limit",
        "avoid": illegal + "avoid_after_facing",
    }
    assert blocked(play(worn, "avoid"))["avoid"] == illegal + "avoid_twice"
    assert blocked(play(start(TAVERN, ["2H"]), "2H")) == {}


def test_legal_and_blocked_cover_every_move_of_the_room(ruleset: Ruleset) -> None:
    for played in next(walks(ruleset, 1, "asked")):
        seen, state = observe(played.before), played.before
        legal = {entry["move"] for entry in seen["legal"]}
        blocked = {entry["move"] for entry in seen["blocked"]}
        assert legal == {str(move) for move in legal_moves(state)}
        assert not legal & blocked
        monsters = [card for card in state.room if card.is_monster]
        assert len(legal | blocked) == len(state.room) + len(monsters) + 1


def test_avoided_cards_come_back_in_order() -> None:
    state = play(start(TAVERN, DECK), "avoid")
    assert observe(state)["room"] == ["2S", "3H", "6D", "7C"]
    assert observe(state)["bottom"] == ["5S", "8D", "9H", "JC"]
    state = play(state, "2Sb", "3H", "6D")
    assert observe(state)["room"] == ["7C", "AS", "5S", "8D"]
    assert observe(state)["bottom"] == ["9H", "JC"]
    assert observe(state)["dungeon_left"] == 2


def test_finished_run_has_a_breakdown() -> None:
    died = observe(play(start(TAVERN, DECK, health=11), "JCb"))
    assert (died["status"], died["legal"], died["blocked"]) == ("died", [], [])
    assert died["score"] == died["potential_score"] == 0 - 5 - 23
    assert died["breakdown"] == [
        {"part": "health", "value": 0},
        {"part": "monsters_in_room", "value": -5},
        {"part": "monsters_in_dungeon", "value": -23},
    ]
    cleared = observe(play(start(TAVERN, ["2H"]), "2H"))
    assert cleared["breakdown"] == [
        {"part": "health", "value": 20},
        {"part": "last_potion", "value": 2},
    ]


def test_room_number_of_a_cleared_run_ends_at_fifteen(ruleset: Ruleset) -> None:
    *_, last = careful_walk(start(immortal(ruleset), deal("rooms")), random.Random(3))
    seen = observe_table(last.after)
    assert (seen["status"], seen["faced"], seen["room_number"]) == ("cleared", 44, 15)
    state = start(TAVERN, ["5S", "8D", "2H", "JC", "2S"], health=5)
    for codes, room in (
        (["8D"], 1),
        (["8D", "2H", "5Sb"], 2),
        (["8D", "2H", "JCb"], 1),
    ):
        after = play(state, *codes)
        assert observe_table(after)["room_number"] == room
        assert faced_count(after) == len(codes)


def test_observation_contains_no_hidden_card(ruleset: Ruleset) -> None:
    hidden_somewhere = 0
    for walk in walks(ruleset, 20, "hidden"):
        for played in walk:
            state = played.after
            hidden = hidden_cards(state)
            hidden_somewhere += len(hidden)
            assert not cards_in(observe(state)) & hidden
            assert not cards_in(to_text(state)) & hidden
            assert not cards_in([as_json(effect) for effect in played.effects]) & hidden
            assert set(observe(state)["bottom"]) | hidden == set(state.dungeon)
    assert hidden_somewhere > 1000


def test_observation_does_not_depend_on_hidden_cards(ruleset: Ruleset) -> None:
    """The order of the hidden cards changes nothing that the player sees."""
    deck = deal("alike")
    other = deck[:10] + tuple(reversed(deck[10:]))
    one, two = start(ruleset, deck), start(ruleset, other)
    while one.status == "playing" and len(one.dungeon) >= 34:
        assert observe(one) == observe(two)
        move = legal_moves(one)[-1]
        if str(move) == "avoid":
            move = legal_moves(one)[0]
        (one, _), (two, _) = apply(one, move), apply(two, move)


def test_shown_cards_are_those_above_the_unseen_ones(ruleset: Ruleset) -> None:
    for walk in walks(ruleset, 4, "shown"):
        for played in walk:
            state = played.after
            assert shown_count(state) == 44 - len(hidden_cards(state))
    worn = start(TAVERN, DECK, weapon="7D", kill_stack=["QS", "4C"])
    assert faced_count(worn) == 3
    assert shown_count(worn) == 7
    assert shown_count(play(worn, "avoid")) == 11


def test_a_hit_that_leaves_one_health_is_not_lethal() -> None:
    entry = _legal(start(TAVERN, DECK, health=12), "JCb")
    assert (entry["health_after"], entry["lethal"]) == (1, False)
