"""The example bots of docs/examples race a person."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from game.models import Account, Run
from game.services.accounts.tokens import token_create
from tests.api.ws.races.test_races import play_out, wait_for_start
from tests.api.ws.web_process import WebProcess
from tests.parts import ROOT

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "docs" / "examples"


def bot_token(account: Account) -> str:
    Account.objects.filter(id=account.id).update(is_guest=False, is_bot=True)
    account.refresh_from_db()
    return token_create(
        account=account,
        name="example",
        scopes=("read", "play", "race"),
        expires_in=timedelta(days=1),
        at=datetime.now(UTC),
    )[1]


def start_bot(
    command: Sequence[str | Path], web: WebProcess, token: str, race_id: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, web.origin, race_id],
        env={**os.environ, "SCOUNDREL_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([sys.executable, EXAMPLES / "bot.py"], id="python"),
        pytest.param(["sh", EXAMPLES / "bot.sh"], id="shell"),
    ],
)
def test_the_example_bot_finishes_a_race(web, people, command):
    if command[0] == "sh" and not shutil.which("curl"):
        pytest.skip("there is no curl here")
    ada, bot = people.guest(), people.guest()
    race_id = people.race(ada)
    one = people.join(web, race_id, ada)
    running = start_bot(command, web, bot_token(bot), race_id)
    try:
        one.wait_for_event("joined", 20)
        one.wait_for_event("readied", 20)
        one.ask("race.ready")
        (run,) = wait_for_start(one)
        play_out(one, run)
        one.wait_for_event("settled", 90)
        output, _ = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 0, output
    own = Run.objects.get(race_id=race_id, account=bot)
    assert own.status in ("cleared", "died"), output
    assert own.index >= 1
