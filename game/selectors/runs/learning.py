"""The guided dungeon and the worked examples, as REST shows them. Nothing is read."""

from collections.abc import Sequence

from game.rules import DECK, DEFAULT_RULESET, MOVES, Card, Kind, find_ruleset, observe
from game.rules.cards import monsters_sum
from game.rules.effects import as_json
from game.rules.state import FACED_IN_FULL_ROOM, ROOM_SIZE
from game.selectors.runs import schemas as runs_schemas
from game.teaching import (
    EXAMPLES,
    LESSON_RULESET,
    LESSON_SEED,
    Example,
    example_outcomes,
    example_position,
    example_title,
    guide,
)


def lesson_show(moves: Sequence[str]) -> runs_schemas.Lesson:
    """The guided dungeon after these moves; the last one may be a mistake.

    Raises NotInLesson, IllegalMove, MalformedMove.
    """
    guidance = guide(moves)
    return {
        "ruleset": LESSON_RULESET,
        "seed": LESSON_SEED,
        "moves": list(moves),
        "step": guidance.step,
        "steps": guidance.steps,
        "title": guidance.title,
        "text": guidance.text,
        "advised": list(guidance.advised),
        "skipped": list(guidance.skipped),
        "mistake": guidance.mistake,
        "effects": [as_json(effect) for effect in guidance.effects],
        "observation": observe(guidance.state),
    }


def rules_guide() -> runs_schemas.RulesGuide:
    """The numbers of the deck and every example."""
    return {
        "deck": _deck_facts(),
        "examples": [_example(example) for example in EXAMPLES.values()],
    }


def example_show(
    example: Example, ruleset: str, moves: Sequence[str]
) -> runs_schemas.ExamplePosition:
    """An example after these moves.

    Raises UnknownRuleset, IllegalMove, MalformedMove.
    """
    state, effects = example_position(example, find_ruleset(ruleset), moves)
    return {
        "example": example.key,
        "ruleset": ruleset,
        "moves": list(moves),
        "effects": [as_json(effect) for effect in effects],
        "observation": observe(state),
    }


def _example(example: Example) -> runs_schemas.Example:
    return {
        "key": example.key,
        "title": example_title(example),
        "text": example.words(),
        "start": observe(
            example_position(example, find_ruleset(DEFAULT_RULESET), [])[0]
        ),
        "lines": [
            {
                "title": line.title,
                "moves": list(line.moves),
                "outcomes": [
                    {
                        "ruleset": outcome.ruleset,
                        "status": outcome.status,
                        "health": outcome.health,
                        "score": outcome.score,
                        "refused": outcome.refused,
                    }
                    for outcome in example_outcomes(example, line)
                ],
            }
            for line in example.lines
        ],
    }


def _deck_facts() -> runs_schemas.DeckFacts:
    monsters = _of_kind(Kind.MONSTER)
    tools = [*_of_kind(Kind.WEAPON), *_of_kind(Kind.POTION)]
    letters = {card[0]: card.value for card in monsters if card[0] in "JQKA"}
    full_rooms, last_room = divmod(len(DECK), FACED_IN_FULL_ROOM)
    return {
        "cards": len(DECK),
        "monsters": len(monsters),
        "monsters_sum": monsters_sum(DECK),
        "weapons": len(_of_kind(Kind.WEAPON)),
        "potions": len(_of_kind(Kind.POTION)),
        "lowest": min(card.value for card in DECK),
        "highest_tool": max(card.value for card in tools),
        "letters": [{"rank": rank, "value": letters[rank]} for rank in letters],
        "room": ROOM_SIZE,
        "faced_in_room": FACED_IN_FULL_ROOM,
        "rooms": full_rooms + 1,
        "last_room": last_room,
        "move_codes": len(MOVES),
    }


def _of_kind(kind: Kind) -> list[Card]:
    return [card for card in DECK if card.kind is kind]
