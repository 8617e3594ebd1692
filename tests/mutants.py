"""Mutation testing of the pure layers: `make mutants`, or python -m tests.mutants NAME.

Runs mutmut (its configuration is in pyproject.toml) with the pure tests alone, lists
the mutants that survive, and fails if fewer than 95 % of a layer's mutants are killed.
Names limit the run, such as "game.contest.pairing*". `mutmut show MUTANT` prints a
mutant; tests/mutants.md lists the equivalent ones.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("game/rules", "game/contest")
LEAST_KILLED = 0.95
# mutmut's exit codes: tests passed; no test covers the function.
SURVIVED = (0, 33)


def main(names: Sequence[str]) -> int:
    """Run the mutants; return 1 if too many survive in a layer."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", *names]
    subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    return max(_report(layer) for layer in LAYERS)


def _report(layer: str) -> int:
    results: dict[str, int] = {}
    for meta in sorted((ROOT / "mutants" / layer).rglob("*.meta")):
        codes = json.loads(meta.read_text())["exit_code_by_key"]
        results |= {key: code for key, code in codes.items() if code is not None}
    if not results:
        print(f"{layer}: no mutant was run")
        return 0
    survivors = [key for key, code in results.items() if code in SURVIVED]
    share = 1 - len(survivors) / len(results)
    for key in survivors:
        print(f"survived: {key}")
    print(f"{layer}: {share:.1%} of {len(results)} mutants killed")
    return int(share < LEAST_KILLED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
