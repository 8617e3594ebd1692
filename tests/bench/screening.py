"""How often screening flags honest and cheating accounts.

    python -m tests.bench.screening [runs] [ruleset]

Simulates honest runs (bots greedy-1 and mc10-1) and runs of two cheats who know the
deck: `solver` plays the solver's moves; `careful` plays the move that greedy-1 ranks
highest among those after which the dungeon can still be cleared. Prints the mean and
spread of a run's luck, and how often accounts of several such runs (drawn with
replacement) are flagged. Takes some seconds of one core for each run.
"""

import random
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom, is_winnable, solve, view_of
from game.analysis.players.options import avoid_option, room_options
from game.analysis.screening import FLAG_AT, Signal, screen
from game.rules import RULESETS, Move, Ruleset, State, apply, deal, start

ACCOUNTS = 100_000
SIZES = (3, 5, 10, 20)


def honest(name: str, state: State, seed: str) -> list[Move]:
    """The moves of a bot, which sees only what a player sees."""
    player, rng, moves = PLAYERS[name], SeededRandom(seed), list[Move]()
    while state.status == "playing":
        for move in player.plan(view_of(state), rng):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def careful(state: State) -> list[Move]:
    """The moves of a cheat: greedy, but only such that a clearance stays possible."""
    moves: list[Move] = []
    while state.status == "playing":
        view = view_of(state)
        options = room_options(view)
        if view.may_avoid:
            options.append(avoid_option(view))
        options.sort(key=lambda option: -option.value)
        for option in options:
            after = state
            for move in option.moves:
                after, _ = apply(after, move)
            if is_winnable(after):
                state, moves = after, [*moves, *option.moves]
                break
        else:
            return [*moves, *solve(state).line]
    return moves


def run_of(kind: str, rules: Ruleset, number: int) -> Signal:
    """Play and screen one run."""
    deck = deal(f"screening-{kind}-{number}")
    root = start(rules, deck)
    if kind == "solver":
        moves = list(solve(root).line)
    elif kind == "careful":
        moves = careful(root)
    else:
        moves = honest(kind, root, f"{kind}/{number}")
    return screen(rules, deck, moves)


def flag_rate(signals: list[Signal], size: int, rng: random.Random) -> str:
    """How often accounts of `size` such runs are flagged, and the highest deviation."""
    pairs = [(one.luck, one.variance) for one in signals]
    flagged, highest = 0, -99.0
    for _ in range(ACCOUNTS):
        picks = rng.choices(pairs, k=size)
        variance = sum(one[1] for one in picks)
        deviations = sum(one[0] for one in picks) / variance**0.5 if variance else 0.0
        flagged += deviations >= FLAG_AT
        highest = max(highest, deviations)
    return f"{size} runs: {flagged / ACCOUNTS:.5f} (highest {highest:.2f})"


def main(runs: int, key: str) -> None:
    """Print the table of docs/analysis-code.md."""
    few = max(2, runs // 3)
    all_honest: list[Signal] = []
    for kind, count in {
        "solver": few,
        "careful": few,
        "mc10-1": runs,
        "greedy-1": runs,
    }.items():
        started = time.process_time()
        signals = [run_of(kind, RULESETS[key], number) for number in range(count)]
        spent = (time.process_time() - started) / count
        report(kind, signals, spent)
        if kind in PLAYERS:
            all_honest += signals
    report("honest, both", all_honest, 0.0)


def report(kind: str, signals: list[Signal], spent: float) -> None:
    """Print the luck of a run of this kind, and how often accounts are flagged."""
    lucks = [one.luck for one in signals]
    rooms = statistics.mean(len(one.rooms) for one in signals)
    bare = sum(room.variance for one in signals for room in one.rooms)
    ratio = sum(luck * luck for luck in lucks) / bare
    print(
        f"{kind}: {len(signals)} runs, {rooms:.1f} rooms, luck"
        f" {statistics.mean(lucks):+.2f} sd {statistics.stdev(lucks):.2f}, highest"
        f" {max(lucks):.2f}, mean square / variance of ranks {ratio:.2f};"
        f" {spent:.2f} s a run"
    )
    rng = random.Random(kind)
    for size in SIZES:
        print("   flagged,", flag_rate(signals, size, rng), flush=True)


if __name__ == "__main__":
    main(int([*sys.argv[1:], "300"][0]), [*sys.argv[2:], "tavern-1"][0])
