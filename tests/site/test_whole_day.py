"""A whole daily on a real site: drawn, played by twenty accounts, settled, shown.

Web process, worker and beat run on a PostgreSQL and a Valkey of their own; only the
worker's clock is moved ahead, by a test setting. At the end the settled day is opened
in a browser. With `-s` it prints how long each part took.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import ViewportSize, expect

from game.contest.digest import text_digest
from game.management.children import Child, stop_all
from game.management.valkey import free_port, wait_for_port
from game.rules import seal_of
from tests.e2e.conftest import chromium
from tests.parts import ROOT
from tests.servers import migrated_database, servers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PLAYERS, BOTS = 20, 6
CSRF = "c" * 32
DAY_AND_AN_HOUR = str(25 * 3600)
# Accounts with a verified e-mail. Bots play with a token, people with a session:
# attempts with a move by token are ranked among bots.
MAKE = """
import json, sys, django; django.setup()
from datetime import timedelta
from django.utils import timezone
from allauth.account.models import EmailAddress
from game.models import Account
from django.conf import settings
from django.contrib import auth
from game.models.accounts.session import SessionStore
from game.services.accounts.tokens import token_create
keys = []
for n in range(int(sys.argv[1])):
    is_bot = n < int(sys.argv[2])
    name = f"{'Robot' if is_bot else 'Player'} {n}"
    account = Account.objects.create_user(name, f"p{n}@example.org", is_bot=is_bot)
    EmailAddress.objects.create(
        user=account, email=f"p{n}@example.org", verified=True, primary=True)
    if is_bot:
        token, text = token_create(account=account, name="day",
            scopes=("read", "play"), expires_in=timedelta(days=3), at=timezone.now())
        keys.append(text)
    else:
        session = SessionStore()
        session[auth.SESSION_KEY] = account.pk
        session[auth.BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[auth.HASH_SESSION_KEY] = account.get_session_auth_hash()
        session.save()
        keys.append(session.session_key)
print(json.dumps(keys))
"""

Call = Callable[..., Any]


@pytest.fixture
def environ(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a separate site."""
    database = migrated_database(os.environ["DATABASE_URL"], os.environ)
    with servers(with_database=False, with_redis=True) as addresses:
        found = {
            **os.environ,
            **addresses,
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "scoundrel_site.settings.test",
            "VAR_DIR": str(tmp_path),
            "DAILY_RULESETS": "tavern-1",
            "TRUSTED_PROXY_COUNT": "1",
        }
        yield found


def python(environ: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        env=environ,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def worker(environ: dict[str, str], folder: Path, ahead_s: str) -> Child:
    folder.mkdir()
    app = ["-m", "celery", "-q", "-A", "scoundrel_site.celery", "worker", "-B"]
    how = ["-P", "threads", "-c", "2", "--without-gossip", "--without-mingle"]
    schedule = ["-s", str(folder / "beat"), "--loglevel", "WARNING"]
    child = Child(
        "The worker",
        [sys.executable, *app, *how, *schedule],
        environ | {"CLOCK_AHEAD_S": ahead_s},
    )
    child.start()
    return child


def identify(key: str | None) -> dict[str, str]:
    """The headers of an account's program or browser, each at its own address."""
    if key is None:
        return {}
    place = hashlib.sha256(key.encode()).digest()[:3]
    headers = {"X-Forwarded-For": ".".join(map(str, (10, *place)))}
    if key.startswith("sdl_"):
        return headers | {"Authorization": f"Bearer {key}"}
    return headers | {
        "Cookie": f"sessionid={key}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
    }


def caller(port: int) -> Call:
    def call(path: str, key: str | None = None, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json", **identify(key)}
        sent = None if body is None else json.dumps(body).encode()
        asked = Request(
            f"http://127.0.0.1:{port}/api/v1/{path}", data=sent, headers=headers
        )
        with urlopen(asked, timeout=30) as answer:
            raw = answer.read()
        is_json = answer.headers["Content-Type"].startswith("application/json")
        return json.loads(raw) if is_json else raw.decode()

    return call


def play(call: Call, key: str, taste: int) -> dict[str, Any]:
    """Play today's daily to its end; return the run."""
    run: dict[str, Any] = call("dailies/today/run/", key, {})
    while run["status"] == "playing":
        moves = run["legal"]
        move = moves[(taste * 7 + run["index"]) % len(moves)]["move"]
        body = {"index": run["index"], "move": move}
        run = call(f"runs/{run['id']}/moves/", key, body)["run"]
    return run


def until(ready: Callable[[], Any], within_s: float) -> Any:
    deadline = time.monotonic() + within_s
    while True:
        try:
            found = ready()
        except (URLError, HTTPError):
            found = None
        if found:
            return found
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.3)


def show(port: int, day: str, board: dict[str, Any]) -> None:
    """Open the settled day in a phone's browser."""
    with chromium() as browser:
        phone = ViewportSize(width=390, height=844)
        page = browser.new_page(viewport=phone, base_url=f"http://127.0.0.1:{port}")
        page.goto(f"/daily/{day}?ruleset=tavern-1")
        podium = page.get_by_role("list", name="The first three")
        for entry in board["results"][:3]:
            expect(podium).to_contain_text(entry["player"])
        curve = page.get_by_role("img", name="Scores from", exact=False)
        expect(curve).to_be_visible()
        page.get_by_role("button", name="Check the seals here").click()
        checked = page.get_by_role("list", name="What was checked").locator("li")
        expect(checked.filter(has_text="Correct.")).to_have_count(3)
        page.get_by_text("Digest of this board").click()
        expect(page.get_by_text(board["digest"])).to_be_visible()
        page.get_by_role("link", name="Replay of", exact=False).first.click()
        expect(page.get_by_role("slider", name="Move")).to_be_visible()


class Watch:
    """Prints the seconds of each part of the test."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def lap(self, part: str) -> None:
        """Print the seconds since the last part."""
        now = time.monotonic()
        sys.stdout.write(f"{part}: {now - self._since:.1f} s\n")
        self._since = now


def test_daily_from_draw_to_settled_board(
    environ: dict[str, str], tmp_path: Path
) -> None:
    port = free_port()
    web = Child(
        "The site",
        [
            *(sys.executable, "-m", "daphne", "-b", "127.0.0.1", "-p", str(port)),
            *("-v", "0", "scoundrel_site.asgi:application"),
        ],
        environ,
    )
    children = [web]
    call, watch = caller(port), Watch()
    try:
        web.start()
        children.append(worker(environ, tmp_path / "today", "0"))
        wait_for_port(port, web, within_s=60)
        # The worker draws the days, started by beat and not by a request.
        ahead = until(lambda: call("dailies/")["ahead"], 60)
        assert len(ahead) == 30
        watch.lap("start, and 31 days drawn by worker and beat")
        keys = json.loads(python(environ, "-c", MAKE, str(PLAYERS), str(BOTS)))
        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(play, [call] * PLAYERS, keys, range(PLAYERS)))
        moves = sum(run["index"] for run in runs)
        watch.lap(f"{PLAYERS} accounts made, their {moves} moves played over REST")
        day = runs[0]["daily"]
        board = call(f"dailies/{day}/leaderboard/", keys[-1])
        assert (board["total"], board["provisional"]) == (PLAYERS - BOTS, True)
        assert call(f"dailies/{day}/leaderboard/")["hidden"] is True
        # Move the worker's clock ahead by 25 hours.
        stop_all([children.pop()])
        children.append(worker(environ, tmp_path / "tomorrow", DAY_AND_AN_HOUR))

        def settled() -> Any:
            daily = call(f"dailies/{day}/", keys[-1])
            return daily if daily["settled_at"] else None

        daily = until(settled, 90)
        watch.lap("a day later: worker and beat started, runs proved, board settled")
        assert daily["you"]["of"] == PLAYERS - BOTS
        assert seal_of(daily["seed"]) == daily["seal"] == runs[0]["seal"]
        text = call(f"dailies/{day}/digest/")
        assert text_digest(text) == daily["digest"]
        board = call(f"dailies/{day}/leaderboard/")
        scores = [entry["score"] for entry in board["results"]]
        assert scores == sorted((r["score"] for r in runs[BOTS:]), reverse=True)
        assert {e["run"] for e in board["results"]} == {r["id"] for r in runs[BOTS:]}
        replay = call(f"runs/{board['results'][0]['run']}/replay/")
        assert replay["seed"] == daily["seed"]
        bots = call(f"dailies/{day}/leaderboard/?pool=bots")
        assert bots["total"] == BOTS
        hold = python(environ, "manage.py", "verify_invariants")
        assert "All invariants hold." in hold
        watch.lap("read back and proved")
        show(port, day, board)
        watch.lap("shown in the browser")
    finally:
        stop_all(children)
