"""Calibrate screening: `python -m tests.bench.players_screening [runs] [ruleset]`.

Simulated honest runs (greedy-1 and mc10-1) and runs of two cheats who know the order:
`solver` plays the solver's line; `careful` takes what greedy-1 likes best among the
ways that keep a clearance in reach. Prints the mean and spread of one run's luck and,
for accounts of several runs drawn from those with replacement, how often each kind is
flagged. Slow: some seconds of one core a run.
"""

import random
import statistics
import sys
import time

from game.analysis import PLAYERS, SeededRandom, solve, view_of, winnable
from game.analysis.players.options import avoid_option, room_options
from game.analysis.screening import FLAG_AT, Signal, screen
from game.rules import RULESETS, Move, Ruleset, State, apply, deal, start

ACCOUNTS = 100_000
SIZES = (3, 5, 10, 20)


def honest(name: str, state: State, seed: str) -> list[Move]:
    """The moves of a run by a player who sees only views."""
    player, chance, moves = PLAYERS[name], SeededRandom(seed), list[Move]()
    while state.status == "playing":
        for move in player.plan(view_of(state), chance):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def careful(state: State) -> list[Move]:
    """A cheat who looks natural: greedy among the ways that still can be cleared."""
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
            if winnable(after):
                state, moves = after, [*moves, *option.moves]
                break
        else:
            return [*moves, *solve(state).line]
    return moves


def run_of(kind: str, rules: Ruleset, number: int) -> Signal:
    """One run's signal."""
    deck = deal(f"screening-{kind}-{number}")
    root = start(rules, deck)
    if kind == "solver":
        moves = list(solve(root).line)
    elif kind == "careful":
        moves = careful(root)
    else:
        moves = honest(kind, root, f"{kind}/{number}")
    return screen(rules, deck, moves)


def accounts(signals: list[Signal], size: int, rng: random.Random) -> str:
    """How often accounts of that many such runs are flagged, and their highest."""
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
    """The table for docs/analysis-code.md."""
    few = max(2, runs // 3)
    every: list[Signal] = []
    for kind, count in {
        "solver": few,
        "careful": few,
        "mc10-1": runs,
        "greedy-1": runs,
    }.items():
        begun = time.process_time()
        signals = [run_of(kind, RULESETS[key], number) for number in range(count)]
        spent = (time.process_time() - begun) / count
        report(kind, signals, spent)
        if kind in PLAYERS:
            every += signals
    report("honest, both", every, 0.0)


def report(kind: str, signals: list[Signal], spent: float) -> None:
    """One kind of player: a run's luck, and how often accounts are flagged."""
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
        print("   flagged,", accounts(signals, size, rng), flush=True)


if __name__ == "__main__":
    main(int([*sys.argv[1:], "300"][0]), [*sys.argv[2:], "tavern-1"][0])
