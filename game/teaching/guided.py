"""The guided dungeon: one fixed seed, and what the player is taught at each step.

A step accepts one move or a few. Any other legal move is answered with what it would
have cost, and the page takes it back. One step plays the rooms in the middle, which
teach nothing new. Progress is the list of moves, so a client can leave and resume.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from game.rules import RULESETS, Effect, State, apply, deal, legal_moves, parse_move
from game.rules import start as start_run
from game.rules.errors import Refusal
from game.teaching.texts import fill

SEED: Final = "learn-35848"
RULESET: Final = "tavern-1"


class NotInLesson(Refusal):
    """A move after one that the guide does not accept."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the player does next.

    `moves`: the accepted moves. `why_not`: the explanation of other moves, by move code
    or by kind of mistake (see `_mistake`). `skipped`: moves that are played together.
    """

    title: str
    text: str
    moves: tuple[str, ...] = ()
    why_not: Mapping[str, str] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


class Guidance(NamedTuple):
    """The position after some moves, and what the player is told about it.

    `step` counts from 0; it is `steps` at the end. `advised`: the accepted moves, none
    at the end. `mistake`: why the last move was not accepted, else None; then `step`
    is still that of the position before it.
    """

    state: State
    effects: tuple[Effect, ...]
    step: int
    steps: int
    title: str
    text: str
    advised: tuple[str, ...]
    skipped: tuple[str, ...]
    mistake: str | None


# Explanations of mistakes that a step does not explain itself. CARD: the move's card.
_MISTAKES: Final[dict[str, str]] = {
    "bare": "Bare-handed the [CARD] takes {damage:CARDb}. With the weapon it costs"
    " {damage:CARDw}.",
    "wasted": "Only the first potion in a room heals. The second is wasted.",
    "potion": "Not this potion yet. Potions heal most when you are hurt, and only one"
    " works in each room.",
    "weapon": "Not this weapon yet. A new weapon replaces the one you hold.",
    "avoid": "Avoiding puts these four cards under the pile, so you meet them again at"
    " the end. This room is worth facing now.",
    "monster": "Not this monster yet.",
}

STEPS: Final[tuple[Step, ...]] = (
    Step(
        "Take up the weapon",
        "These four cards are a room. You face three of them. You have no weapon, so"
        " the [9C] would take {damage:9Cb} of your {health} health. Choose the [4D] and"
        " take it up first.",
        ("4D",),
        {
            "9Cb": "Without a weapon the [9C] takes {damage:9Cb} of your {health}"
            " health. With the [4D] it takes only {damage:4D>9Cw}.",
            "5Cb": "Without a weapon the [5C] takes {damage:5Cb}. With the [4D] it"
            " takes only {damage:4D>5Cw}.",
            "4H": "You have {health} of {cap} health, so this potion heals {heal:4H}.",
        },
    ),
    Step(
        "Fight the stronger monster first",
        "The weapon takes its value off the damage: armed, the [9C] costs"
        " {damage:9Cw}. After a kill a weapon only reaches weaker monsters than the"
        " last one, so fight the stronger one first. Choose the [9C], then Armed.",
        ("9Cw",),
        {
            "5Cw": "That cost {damage:5Cw}, but now the weapon only reaches monsters"
            " below {limit:5Cw}. The [9C] would have to be fought bare-handed, for"
            " {damage:9Cb}. The other way round both cost"
            " {damage:9Cw} and {damage:5Cw}.",
        },
    ),
    Step(
        "Face a third card, carry the fourth",
        "The weapon is worn: it now reaches monsters below {limit}. The [5C] is below"
        " that. Fight it armed for {damage:5Cw}. The fourth card, the [4H], is then"
        " carried into the next room.",
        ("5Cw",),
        {
            "4H": "That heals {heal:4H}, but then the [5C] is carried on. Fight it now,"
            " while the weapon reaches it, and keep the potion for later.",
        },
    ),
    Step(
        "Bare hands spare the weapon",
        "The [4H] was carried, three cards were dealt. Your weapon reaches monsters"
        " below {limit}: the [4C], but not the [6S]. Fight the [6S] bare-handed for"
        " {damage:6Sb}. That does not wear the weapon. The [4C] is free with it."
        " Fight both, in any order.",
        ("6Sb", "4Cw"),
        {
            "7H": "You would be healed only {heal:7H} now. After the fights it heals"
            " {heal:6Sb>4Cw>7H}.",
            "4H": "Then the [7H] would be wasted: one potion in each room.",
            "4Cb": "Bare-handed the [4C] takes {damage:4Cb}. Armed it costs"
            " {damage:4Cw}.",
        },
    ),
    Step(
        "Fight the other one",
        "Now fight the other monster: the [6S] bare-handed, the [4C] armed.",
        ("6Sb", "4Cw"),
        {
            "7H": "Fight first. A potion is worth most when you are most hurt.",
            "4H": "Fight first, and use the stronger potion of the two.",
        },
    ),
    Step(
        "One potion in each room",
        "Two potions are left, and only the first one in a room heals. Drink the [7H]:"
        " it heals {heal:7H}. The [4H] is carried on.",
        ("7H",),
        {
            "4H": "That heals {heal:4H}. The [7H] heals {heal:7H}, and the [4H] can"
            " wait for the next room.",
        },
    ),
    Step(
        "Avoid a bad room",
        "Your weapon only reaches monsters below {limit}, so the [KS], the [5S] and the"
        " [6C] would all be bare-handed. Before you face a card you may avoid the whole"
        " room. Its cards go under the pile, in this order: you meet them last. Avoid.",
        ("avoid",),
        {
            "KSb": "The [KS] takes {damage:KSb} of your {health} health.",
            "5Sb": "The [5S] takes {damage:5Sb}, and now the room cannot be avoided any"
            " more.",
            "6Cb": "The [6C] takes {damage:6Cb}, and now the room cannot be avoided any"
            " more.",
            "4H": "That heals {heal:4H}, but a room can only be avoided before you face"
            " a card in it.",
        },
    ),
    Step(
        "Use up the old weapon",
        "Two rooms in a row cannot be avoided, so face this one. The worn weapon still"
        " kills the [2S] for {damage:2Sw}. Do that before you take the [9D], and drink"
        " the [TH] for {heal:TH}. Any order.",
        ("TH", "2Sw"),
        {
            "9D": "Now the old weapon is gone. If the new one kills the [2S], it only"
            " reaches monsters below {limit:9D>2Sw} afterwards.",
            "TCb": "The [TC] takes {damage:TCb}. Carry it, and meet it with the [9D]"
            " in hand: then it costs {damage:9D>TCw}.",
            "2Sb": "The worn weapon reaches the [2S]. Armed it costs {damage:2Sw}.",
        },
    ),
    Step(
        "And the other one",
        "Now the other one: drink the [TH], or fight the [2S] armed.",
        ("TH", "2Sw"),
        {
            "9D": "Not yet: kill the [2S] with the old weapon first, and drink.",
            "TCb": "Carry the [TC], and meet it with the [9D] in hand.",
        },
    ),
    Step(
        "Take the fresh weapon",
        "A new weapon is fresh: it reaches every monster. The old one is discarded with"
        " its kills. Take up the [9D] and carry the [TC].",
        ("9D",),
        {
            "TCb": "Bare-handed the [TC] takes {damage:TCb}. With the [9D] it costs"
            " {damage:9D>TCw}."
        },
    ),
    Step(
        "Strongest first",
        "Three monsters, and a fresh weapon that reaches all of them if you start with"
        " the strongest. Fight the [KC] armed for {damage:KCw}.",
        ("KCw",),
        {
            "JCw": "Now the weapon only reaches monsters below {limit:JCw}, and the"
            " [KC] costs {damage:KCb}.",
            "TCw": "Now the weapon only reaches monsters below {limit:TCw}. The [JC]"
            " and the [KC] are out of reach.",
            "TD": "The [TD] is stronger, but the [9D] is still fresh. Use it first and"
            " take the [TD] later.",
        },
    ),
    Step(
        "Next strongest",
        "The weapon reaches monsters below {limit}. Fight the [JC] armed for"
        " {damage:JCw}.",
        ("JCw",),
        {
            "TCw": "Now the weapon only reaches monsters below {limit:TCw}, and the"
            " [JC] costs {damage:JCb}.",
            "TD": "The [TD] can be carried on. The [9D] still has work to do here.",
        },
    ),
    Step(
        "And the weakest",
        "Fight the [TC] armed for {damage:TCw}, and carry the [TD].",
        ("TCw",),
        {
            "TD": "Then the [TC] would be carried. The [9D] kills it now for"
            " {damage:TCw}."
        },
    ),
    Step(
        "The rooms in between",
        "You know all you need. The next rooms bring nothing new, so they are played"
        " for you, up to the last two.",
        skipped=(
            "4Sw",
            "3Sw",
            "TD",
            "ASw",
            "8H",
            "QSw",
            "JSw",
            "2Cw",
            "2D",
            "5D",
            "ACw",
            "5H",
            "7Sw",
            "3D",
            "9H",
            "3Cw",
            "8D",
            "QCw",
            "3H",
            "TSw",
            "8Sw",
            "7D",
            "9Sw",
            "2H",
            "6H",
            "8Cw",
            "7Cw",
        ),
    ),
    Step(
        "You know the last card",
        "Here are the cards you avoided. The [6C] is the last card of the pile, and you"
        " know it. Your worn weapon still kills the [5S] for {damage:5Sw}: do that"
        " before you take the [6D].",
        ("5Sw",),
        {
            "6D": "If the fresh [6D] has to kill the [5S], it no longer reaches the"
            " [KS]. The old weapon can do that for {damage:5Sw}.",
            "KSb": "Bare-handed the [KS] takes {damage:KSb}. With the fresh [6D] it"
            " takes {damage:6D>KSw}.",
            "4H": "You have {health} of {cap} health: this heals {heal:4H}. Keep it for"
            " after the [KS].",
        },
    ),
    Step(
        "Take the fresh weapon",
        "Now take up the [6D].",
        ("6D",),
        {
            "KSb": "Bare-handed the [KS] takes {damage:KSb}. With the fresh [6D] it"
            " takes {damage:6D>KSw}.",
            "4H": "Keep it for the last room: then it heals {heal:6D>KSw>4H}.",
        },
    ),
    Step(
        "The third card",
        "Fight the [KS] armed for {damage:KSw}, and carry the [4H] into the last room.",
        ("KSw",),
        {
            "4H": "Then the [KS] is carried into the last room. Fight it now, and drink"
            " there."
        },
    ),
    Step(
        "The last room",
        "The last room has two cards, and both are faced. The [6C] costs"
        " {damage:6Cw} armed, the [4H] heals {heal:4H}. Any order.",
        ("4H", "6Cw"),
        {"6Cb": "Armed, the [6C] costs {damage:6Cw}."},
    ),
    Step(
        "The last card",
        "One card is left. When you have faced it and live, you have cleared the"
        " dungeon, and your score is your health.",
        ("4H", "6Cw"),
        {"6Cb": "Armed, the [6C] costs {damage:6Cw}."},
    ),
)
_END: Final = Step(
    "You cleared the dungeon",
    "Your score is the health you have left: {score}. Had a potion been the last card"
    " and left you at {cap} health, its value would count on top. Had you died, the"
    " monsters left in the room and the pile would count against you.",
)


def guide(moves: Sequence[str]) -> Guidance:
    """The guidance after these moves; the last one may be a mistake.

    Raises NotInLesson for a move after a mistake, IllegalMove, MalformedMove.
    """
    state = start_run(RULESETS[RULESET], deal(SEED))
    effects: tuple[Effect, ...] = ()
    step = played = 0
    while played < len(moves):
        current = STEPS[step] if step < len(STEPS) else None
        remaining = [str(parse_move(move)) for move in moves[played:]]
        if current is not None and current.skipped:
            count = len(current.skipped)
            if tuple(remaining[:count]) != current.skipped:
                raise NotInLesson("lesson.off_script", "The guide skips these rooms.")
            for move in current.skipped:
                state, effects = apply(state, move)
            played, step = played + count, step + 1
            continue
        after, effects = apply(state, remaining[0])
        if current is None or remaining[0] not in current.moves:
            if len(remaining) > 1:
                raise NotInLesson(
                    "lesson.off_script", f"The guide takes {remaining[0]} back."
                )
            assert current is not None, "after the last step no move is legal"
            mistake = fill(_mistake(current, state, remaining[0]), state)
            return _guidance(current, state, after, effects, step)._replace(
                mistake=mistake
            )
        state, played, step = after, played + 1, step + 1
    current = STEPS[step] if step < len(STEPS) else _END
    return _guidance(current, state, state, effects, step)


def _guidance(
    current: Step, before: State, state: State, effects: tuple[Effect, ...], step: int
) -> Guidance:
    legal = legal_moves(before)
    return Guidance(
        state=state,
        effects=effects,
        step=step,
        steps=len(STEPS),
        title=current.title,
        text=fill(current.text, before),
        advised=tuple(move for move in current.moves if move in legal),
        skipped=current.skipped,
        mistake=None,
    )


def _mistake(step: Step, state: State, code: str) -> str:
    """Why that move is not accepted, from the step, else from the kind of mistake."""
    if code in step.why_not:
        return step.why_not[code]
    move = parse_move(code)
    card = move.card
    if card is None:
        return _MISTAKES["avoid"]
    if card.is_monster:
        can_use_weapon = f"{card}w" in legal_moves(state)
        is_bare = can_use_weapon and not move.armed
        return _MISTAKES["bare" if is_bare else "monster"].replace("CARD", card)
    if code.endswith("D"):
        return _MISTAKES["weapon"]
    return _MISTAKES["wasted" if state.potion_used else "potion"]
