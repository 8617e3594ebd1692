"""Helpers for dailies: create settled days, start today's daily, play it to the end.

Pages are used by visible names. Moves are sent over REST, because other tests cover
playing cards on the page.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.people import PASSWORD, read_mailed_code, sign_in, write
from tests.parts import ROOT

DEMO = "Ada Quill"
DEMO_MAIL = "0@demo.invalid"
CARDS = re.compile(r"\b(10|[2-9]|[JQKA])(♣|♠|♦|♥|[CSDH]\b)")
# Play up to `most` moves; choose a lethal move only if every legal move is lethal. A
# busy site may answer 503: then send the same key again, as any client of the API does.
PLAY = """async ([id, most]) => {
    const token = /csrftoken=([^;]+)/.exec(document.cookie)[1];
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    let run = await (await fetch(`/api/v1/runs/${id}/`)).json();
    for (let n = 0; run.status === "playing" && n < most; n += 1) {
        const { move } = run.legal.find((one) => !one.lethal) ?? run.legal[0];
        const key = crypto.randomUUID();
        const body = JSON.stringify({ index: run.index, move, key });
        let answer;
        for (let tries = 0; tries < 5; tries += 1) {
            answer = await fetch(`/api/v1/runs/${id}/moves/`,
                { method: "POST", headers, body });
            if (answer.status !== 503) break;
        }
        if (!answer.ok) throw new Error(await answer.text());
        run = (await answer.json()).run;
    }
    return run;
}"""
OVERFLOW_X = "() => document.documentElement.scrollWidth - innerWidth"
ENDS = re.compile("^(You died|You got out)$")


def seed_demo_days(environ: dict[str, str], days: int) -> None:
    """Fill the site's database with demo data that has this many settled days."""
    command = [sys.executable, "manage.py", "seed_demo", "--runs", "2"]
    how = ["--days", str(days), "--password", PASSWORD]
    subprocess.run([*command, *how], cwd=ROOT, env=environ, check=True)


def sign_in_as_demo(page: Page, mails: Path) -> None:
    """Sign in as the first demo player; verify their mail address the first time."""
    sign_in(page, DEMO)
    page.wait_for_url(re.compile(r"(/verify-email|:\d+/)$"))
    if page.url.endswith("/verify-email"):
        write(page, "key", read_mailed_code(mails, DEMO_MAIL))
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/(welcome)?$"))


def start_daily(page: Page, button: str = "Play") -> str:
    """Start today's daily from the home page; return the id of the run."""
    page.goto("/")
    page.get_by_role("button", name=button, exact=True).click()
    page.locator("[data-card]").first.wait_for()
    return page.url.rsplit("/", 1)[1]


def play_moves(page: Page, run: str, max_moves: int = 99) -> dict[str, Any]:
    """Play up to `max_moves` moves over REST; return the run after them."""
    found: dict[str, Any] = page.evaluate(PLAY, [run, max_moves])
    return found


def play_to_end(page: Page, run: str) -> dict[str, Any]:
    """Play a run to its end, open its end screen, and return the run."""
    found = play_moves(page, run)
    assert found["status"] in ("died", "cleared")
    page.goto(f"/play/{run}")
    expect(page.get_by_role("heading", name=ENDS)).to_be_visible()
    return found
