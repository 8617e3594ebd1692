"""Golden runs: how they are found, and their text, which any change of rules changes.

Each file is a record and then every step: the move, what it did, the table after it.
"""

import random
from pathlib import Path

from game.rules import (
    Effect,
    Move,
    Record,
    Ruleset,
    State,
    apply,
    broken_off_score,
    deal,
    format_record,
    legal_moves,
    make_record,
    parse_record,
    start,
    steps,
)
from game.rules.cards import monsters_sum
from game.rules.observation import observe_table
from game.rules.replay import Step
from game.rules.rulesets import find_ruleset
from tests.rules.table import careful_walk

HERE = Path(__file__).parent
KINDS = {"fought", "equipped", "healed", "wasted", "avoided", "dealt"}


def path_of(ruleset: Ruleset, ending: str) -> Path:
    """Return the path of a ruleset's golden run with that ending."""
    return HERE / f"{ruleset.key}.{ending}.txt"


def find_cleared(ruleset: Ruleset) -> Record:
    """Return the best run that a narrow search finds in the first dungeon it clears."""
    for number in range(100):
        seed = f"golden-{number}"
        line = _search(start(ruleset, deal(seed)), width=300)
        if line is not None:
            return make_record(ruleset.key, "normal", seed, line)
    raise AssertionError(f"{ruleset.key}: no golden dungeon was cleared")


def find_died(ruleset: Ruleset) -> Record:
    """Return a death of the hardest difficulty, by a run with every kind of effect."""
    level = ruleset.difficulties[-1].key
    for number in range(10_000):
        seed = f"golden-{number}"
        run = start(ruleset, deal(seed), level)
        played = list(careful_walk(run, random.Random(number)))
        kinds = {effect.kind for step in played for effect in step.effects}
        if played[-1].after.status == "died" and kinds >= KINDS:
            moves = [step.move for step in played]
            return make_record(ruleset.key, level, seed, moves)
    raise AssertionError(f"{ruleset.key}: no golden run had every effect and died")


def golden_text(record: Record) -> str:
    """Return the text of a run: its record, then each step with effects and table."""
    rules = find_ruleset(record.ruleset)
    deck = deal(record.seed)
    first = start(rules, deck, record.difficulty)
    lines = [format_record(record), f"{0:>2} {'start':<6}{_table(first)}"]
    for step in steps(rules, deck, record.moves, record.difficulty):
        lines += _step(step)
    return "\n".join([*lines, ""])


def record_in(text: str) -> Record:
    """Return the record at the beginning of a golden text."""
    headers, moves, _ = text.split("\n\n", 2)
    return parse_record(f"{headers}\n\n{moves}\n")


def _step(step: Step) -> list[str]:
    did = "; ".join(_effect(effect) for effect in step.effects)
    at = step.after.index
    return [f"{at:>2} {step.move:<6}{did}", f"{'':9}{_table(step.after)}"]


def _effect(effect: Effect) -> str:
    words: list[str] = [effect.kind]
    for name, value in effect._asdict().items():
        if name != "kind":
            shown = " ".join(value) if isinstance(value, tuple) else value
            words.append(f"{name}={shown}")
    return " ".join(words)


def _table(state: State) -> str:
    seen = observe_table(state)
    weapon = "none"
    if seen["weapon"]:
        w = seen["weapon"]
        weapon = f"{w['card']}({' '.join(w['kill_stack'])})"
        weapon += f"{'<=' if w['limit_inclusive'] else '<'}{w['limit'] or 'all'}"
    used = "".join(
        letter
        for letter, on in (("p", state.potion_used), ("a", state.avoided_last))
        if on
    )
    return (
        f"{seen['status']} {seen['health']}/{seen['cap']}"
        f" room {seen['room_number']} [{' '.join(seen['room'])}]"
        f" faced {seen['faced_in_room']}/{seen['faced']} weapon {weapon}"
        f" pile {seen['dungeon_left']} bottom [{' '.join(seen['bottom'])}]"
        f" used [{used}] score {broken_off_score(state)}"
    )


def _search(first: State, width: int) -> tuple[Move, ...] | None:
    """Return the best clearance that a beam search over the whole deck finds."""
    best: tuple[int, tuple[Move, ...]] | None = None
    beam: dict[State, tuple[Move, ...]] = {first: ()}
    while beam:
        later: dict[State, tuple[Move, ...]] = {}
        for state, line in beam.items():
            for move in legal_moves(state):
                after, _ = apply(state, move)
                if after.status == "playing":
                    later.setdefault(after, (*line, move))
                elif after.status == "cleared":
                    found = (broken_off_score(after), (*line, move))
                    best = found if best is None else max(best, found)
        ranked = sorted(later.items(), key=lambda item: -_estimate(item[0]))
        beam = dict(ranked[:width])
    return None if best is None else best[1]


def _estimate(state: State) -> float:
    left = state.room + state.dungeon
    healing = sum(card.value for card in left if card.suit == "H")
    held = state.weapon.value if state.weapon else 0
    limit = state.kill_stack[-1].value if state.kill_stack else 14
    danger = 0.55 * monsters_sum(left)
    return state.health + 0.7 * healing + held * limit / 14 - danger
