"""docs/rules.md is true: its programs run, and its examples and codes are correct."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from game.rules import RULESETS, deal, format_record, parse_record, seal_of
from tests.rules.test_legality import REFUSALS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SEEDS = [
    case["seed"]
    for case in json.loads((ROOT / "tests" / "cases" / "shuffle.json").read_text())
]


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_of_the_page_run(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(program, {})
    assert "Error" not in capsys.readouterr().out


def test_program_of_the_page_shuffles_like_the_engine() -> None:
    names: dict[str, Any] = {}
    exec(PROGRAMS[0], names)
    for seed in SEEDS:
        assert names["dungeon"](seed) == list(deal(seed))


def test_shell_command_of_the_page_prints_the_seal() -> None:
    script = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    answer = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    seal = answer.stdout.split()[0]
    assert seal == seal_of("tavern")
    assert f"# {seal}\n" in script


def test_record_of_the_page_is_valid() -> None:
    text = re.search(r"    \[Ruleset .*?-195\n(?=\n[A-Z])", PAGE, re.DOTALL)
    assert text is not None
    lines = [line.removeprefix("    ") for line in text[0].splitlines()]
    record = parse_record("\n".join(lines))
    assert format_record(record) == "\n".join([*lines, ""])


def test_page_has_every_refusal_code_and_ruleset() -> None:
    codes = {f"move.illegal.{code}" for _, _, code, _ in REFUSALS}
    assert set(re.findall(r"`(move\.illegal\.\w+)`", PAGE)) == codes
    assert all(f"`{key}`" in PAGE for key in RULESETS)
