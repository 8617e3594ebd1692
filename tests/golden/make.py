"""Write the golden files again: `python -m tests.golden.make`, after a change of rules.

Read the difference before it is committed: every line of it is a rule that changed.
"""

import json

from game.rules import RULESETS
from tests.golden import perft, runs


def main() -> None:
    """Golden runs and the perft table of every published ruleset."""
    table: dict[str, dict[str, list[int]]] = {}
    for ruleset in RULESETS.values():
        for ending, find in (("cleared", runs.find_cleared), ("died", runs.find_died)):
            text = runs.golden_text(find(ruleset))
            runs.path_of(ruleset, ending).write_text(text)
        table[ruleset.key] = {seed: perft.counts(ruleset, seed) for seed in perft.SEEDS}
    perft.TABLE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
