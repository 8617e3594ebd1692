"""What people do with a day: go down, get it over with, look at what became of it.

Knows the pages by what a person knows them by; a run is played to its end over REST,
as a program would, since how cards are played is other tests' affair.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.people import PASSWORD, mailed_code, sign_in, write
from tests.parts import ROOT

DEMO = "Ada Quill"
DEMO_MAIL = "0@demo.invalid"
CARDS = re.compile(r"\b(10|[2-9]|[JQKA])(♣|♠|♦|♥|[CSDH]\b)")
# So many moves, or to the end: never one that kills while another is left.
PLAY = """async ([id, most]) => {
    const token = /csrftoken=([^;]+)/.exec(document.cookie)[1];
    let run = await (await fetch(`/api/v1/runs/${id}/`)).json();
    for (let n = 0; run.status === "playing" && n < most; n += 1) {
        const { move } = run.legal.find((one) => !one.lethal) ?? run.legal[0];
        const answer = await fetch(`/api/v1/runs/${id}/moves/`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "X-CSRFToken": token },
            body: JSON.stringify({ index: run.index, move, key: crypto.randomUUID() }),
        });
        run = (await answer.json()).run;
    }
    return run;
}"""
WIDE = "() => document.documentElement.scrollWidth - innerWidth"
ENDS = re.compile("^(You died|You got out)$")


def make_days(environ: dict[str, str], days: int) -> None:
    """The demo world with so many settled days, in the site's own database."""
    command = [sys.executable, "manage.py", "seed_demo", "--runs", "2"]
    how = ["--days", str(days), "--password", PASSWORD]
    subprocess.run([*command, *how], cwd=ROOT, env=environ, check=True)


def sign_in_as_demo(page: Page, mails: Path) -> None:
    """In as the first of the demo's people; the first time his mail is verified."""
    sign_in(page, DEMO)
    page.wait_for_url(re.compile(r"(/verify-email|:\d+/)$"))
    if page.url.endswith("/verify-email"):
        write(page, "key", mailed_code(mails, DEMO_MAIL))
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/(welcome)?$"))


def go_down(page: Page, button: str = "Play") -> str:
    """Into today's dungeon from the way in; the id of the run."""
    page.goto("/")
    page.get_by_role("button", name=button, exact=True).click()
    page.locator("[data-card]").first.wait_for()
    return page.url.rsplit("/", 1)[1]


def play_moves(page: Page, run: str, most: int = 99) -> dict[str, Any]:
    """So many moves of a run, or all of it; the run then."""
    found: dict[str, Any] = page.evaluate(PLAY, [run, most])
    return found


def play_out(page: Page, run: str) -> dict[str, Any]:
    """The run to its end, and the page at that end; the run."""
    found = play_moves(page, run)
    assert found["status"] in ("died", "cleared")
    page.goto(f"/play/{run}")
    expect(page.get_by_role("heading", name=ENDS)).to_be_visible()
    return found
