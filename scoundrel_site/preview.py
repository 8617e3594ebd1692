"""What a link to a daily looks like elsewhere: Open Graph tags for the page's head.

The page itself is drawn by its script, which those who unfurl links do not run. Only
what the address says is told here; nothing is looked up.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from html import escape
from urllib.parse import urlencode

from game.rules import DEFAULT_RULESET, RULESETS

_DAILY = re.compile(r"daily/([0-9]{4}-[0-9]{2}-[0-9]{2})/?")
_RUN = re.compile(r"[a-z0-9]{1,32}")
_WORDS = "One dungeon a day, the same for everybody. One attempt."


def preview_tags(
    path: str, query: Mapping[str, str], absolute: Callable[[str], str]
) -> str:
    """The tags for that page's head, or "" for a page that has none of its own.

    `absolute` makes an address of this site whole.
    """
    found = _DAILY.fullmatch(path.lstrip("/"))
    on = _date(found[1]) if found else None
    if on is None:
        return ""
    ruleset = RULESETS.get(query.get("ruleset", ""), RULESETS[DEFAULT_RULESET])
    asked = {"ruleset": ruleset.key}
    if _RUN.fullmatch(query.get("run", "")):
        asked["run"] = query["run"]
    picture = absolute(f"/api/v1/dailies/{on}/share.png?{urlencode(asked)}")
    title = f"Scoundrel daily, {on.day} {on:%B %Y} ({ruleset.name})"
    tags = {
        "og:type": "website",
        "og:site_name": "Scoundrel Live",
        "og:title": title,
        "og:description": _WORDS,
        "og:url": absolute(f"/daily/{on}?{urlencode(asked)}"),
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": title,
    }
    lines = [_tag("property", name, text) for name, text in tags.items()]
    lines.append(_tag("name", "twitter:card", "summary_large_image"))
    lines.append(_tag("name", "description", _WORDS))
    return "\n".join(lines)


def _tag(kind: str, name: str, text: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(text)}">'


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
