"""Open Graph tags for links to dailies, for sites that show a preview of a link.

Those sites do not run the page's script. The tags come from the address alone; the
database is not read.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from html import escape
from urllib.parse import urlencode

from game.rules import DEFAULT_RULESET, RULESETS

_DAILY = re.compile(r"daily/([0-9]{4}-[0-9]{2}-[0-9]{2})/?")
_RUN = re.compile(r"[a-z0-9]{1,32}")
_DESCRIPTION = "One dungeon a day, the same for everybody. One attempt."


def preview_tags(
    path: str, query: Mapping[str, str], absolute: Callable[[str], str]
) -> str:
    """Return the tags for the page's head; "" for a page without its own.

    `absolute` turns a path of this site into a complete address.
    """
    match = _DAILY.fullmatch(path.lstrip("/"))
    on = _date(match[1]) if match else None
    if on is None:
        return ""
    ruleset = RULESETS.get(query.get("ruleset", ""), RULESETS[DEFAULT_RULESET])
    parameters = {"ruleset": ruleset.key}
    if _RUN.fullmatch(query.get("run", "")):
        parameters["run"] = query["run"]
    image = absolute(f"/api/v1/dailies/{on}/share.png?{urlencode(parameters)}")
    title = f"Scoundrel daily, {on.day} {on:%B %Y} ({ruleset.name})"
    tags = {
        "og:type": "website",
        "og:site_name": "Scoundrel Live",
        "og:title": title,
        "og:description": _DESCRIPTION,
        "og:url": absolute(f"/daily/{on}?{urlencode(parameters)}"),
        "og:image": image,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": title,
    }
    lines = [_tag("property", name, text) for name, text in tags.items()]
    lines.append(_tag("name", "twitter:card", "summary_large_image"))
    lines.append(_tag("name", "description", _DESCRIPTION))
    return "\n".join(lines)


def _tag(kind: str, name: str, text: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(text)}">'


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
