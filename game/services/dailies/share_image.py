"""Draws the share image of a daily (PNG, 1200 by 630), cached in a file.

The file name is a digest of the content, so a cached image is never out of date, and
two processes that draw the same one write the same bytes. Files are in VAR_DIR; the
tick deletes old ones, which are drawn again on demand.
"""

import hashlib
import os
import tempfile
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from game.models import Run
from game.services.dailies.share import AVOIDED, DIED, HARD, HURT, Share, score_words

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SIZE = (1200, 630)
_STYLE = "1"
_KEEP_FOR = timedelta(days=30)
# The colours of the page's design.
_STONE, _TORCH, _WOOD = "#14110f", "#3a2414", "#5a3a22"
_PAPER, _MUTED, _GOLD = "#f3e7cf", "#9c8f7e", "#d9a441"
_EMBER, _MOSS, _STEEL = "#e0632f", "#6aa163", "#5b8db3"
_COLOURS = {AVOIDED: _STEEL, HURT: _GOLD, HARD: _EMBER, DIED: _EMBER}


def share_image_get(share: Share) -> bytes:
    """The PNG of a share, from the cache or drawn now."""
    file = _folder() / f"{_name(share)}.png"
    try:
        return file.read_bytes()
    except FileNotFoundError:
        png = _draw(share)
        _write(file, png)
        return png


def share_images_prune(*, at: datetime) -> int:
    """Delete images that were drawn more than 30 days ago; how many."""
    deleted = 0
    for file in _folder().glob("*.png"):
        if file.stat().st_mtime < (at - _KEEP_FOR).timestamp():
            file.unlink(missing_ok=True)
            deleted += 1
    return deleted


def _folder() -> Path:
    return Path(settings.VAR) / "pictures"


def _name(share: Share) -> str:
    return hashlib.sha256(repr((_STYLE, *share)).encode()).hexdigest()[:32]


def _write(file: Path, png: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(png)
    Path(draft).replace(file)


def _draw(share: Share) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415 - slow to import, and only needed here

    image = Image.new("RGB", SIZE, _STONE)
    draw = ImageDraw.Draw(image)
    _draw_light(draw)
    _draw_door(draw)
    draw.rectangle((40, 40, 1160, 590), outline=_GOLD, width=3)
    _text(draw, 80, 80, "SCOUNDREL LIVE", 34, _GOLD)
    _text(draw, 80, 132, f"Daily {share.number}", 92, _PAPER)
    day = f"{share.on.day} {share.on:%B %Y}"
    _text(draw, 80, 250, f"{day}  -  {share.name}", 40, _MUTED)
    if share.score is None:
        _text(draw, 80, 350, "One dungeon. One attempt.", 64, _PAPER)
        _text(draw, 80, 440, "The same for everybody, until midnight UTC.", 40, _MUTED)
    else:
        _draw_result(draw, share)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw_result(draw: "ImageDraw", share: Share) -> None:
    cleared = share.status == Run.Status.CLEARED
    colour = _MOSS if cleared else _EMBER
    words = f"{share.words} {score_words(share.score)}"
    _text(draw, 80, 330, words.replace("\N{MINUS SIGN}", "-"), 88, colour)
    # The font has Latin letters only; other names would be drawn as boxes.
    if share.player and all(ord(letter) < 0x180 for letter in share.player):
        _text(draw, 80, 440, share.player, 44, _PAPER)
    for place, mark in enumerate(share.marks[:44]):
        _draw_mark(draw, 80 + 46 * (place % 22), 512 + 36 * (place // 22), mark)


def _draw_mark(draw: "ImageDraw", x: int, y: int, mark: str) -> None:
    """The mark of a room: shape and colour both show how it went."""
    box = (x, y, x + 26, y + 26)
    colour = _COLOURS.get(mark, _MOSS)
    if mark == AVOIDED:
        draw.ellipse(box, outline=colour, width=4)
    elif mark == DIED:
        draw.line((x + 3, y + 3, x + 23, y + 23), fill=colour, width=6)
        draw.line((x + 23, y + 3, x + 3, y + 23), fill=colour, width=6)
    elif mark == HARD:
        draw.polygon(
            ((x + 13, y), (x + 26, y + 13), (x + 13, y + 26), (x, y + 13)), fill=colour
        )
    elif mark == HURT:
        draw.rectangle(box, fill=colour)
    else:
        draw.rectangle((x + 8, y + 8, x + 18, y + 18), fill=colour)


def _draw_light(draw: "ImageDraw") -> None:
    """The torch's light, from the upper right."""
    dark, light = _rgb(_STONE), _rgb(_TORCH)
    for step in range(30, 0, -1):
        part = (30 - step) / 30
        colour = tuple(
            round(d * (1 - part) + b * part) for d, b in zip(dark, light, strict=True)
        )
        reach = step * 26
        draw.ellipse((980 - reach, 150 - reach, 980 + reach, 150 + reach), fill=colour)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _draw_door(draw: "ImageDraw") -> None:
    """The cellar's door: an arch of planks with a ring."""
    left, top, right, bottom = 850, 150, 1080, 590
    draw.pieslice((left, top, right, top + 230), 180, 360, fill=_WOOD)
    draw.rectangle((left, top + 115, right, bottom), fill=_WOOD)
    for x in range(left + 46, right, 46):
        draw.line((x, top + 30, x, bottom), fill=_STONE, width=3)
    for y in (330, 520):
        draw.rectangle((left, y, right, y + 14), fill=_STONE)
    draw.ellipse((1010, 400, 1050, 440), outline=_GOLD, width=6)


def _text(draw: "ImageDraw", x: int, y: int, text: str, size: int, colour: str) -> None:
    from PIL import ImageFont  # noqa: PLC0415 - slow to import, and only needed here

    draw.text((x, y), text, fill=colour, font=ImageFont.load_default(size))
