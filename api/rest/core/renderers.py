"""Renderers of responses: JSON by msgspec, plain text, lines of JSON, PNG."""

from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer

from game.selectors.core import wire


class Json(JSONRenderer):
    """JSON: compact, unless `Accept: application/json; indent=2` asks for more."""

    def render(
        self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None
    ) -> bytes:
        """Encode a declared object or an error."""
        if data is None:
            return b""
        if self.get_indent(accepted_media_type, renderer_context or {}):
            written: bytes = super().render(data, accepted_media_type, renderer_context)
            return written
        return wire.encode(data)


class PlainText(BaseRenderer):
    """A renderer for text; errors are rendered as JSON."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None
    ) -> bytes:
        """Encode a text or return the bytes; encode an error as JSON."""
        return data.encode() if isinstance(data, str) else wire.encode(data)


class Ndjson(PlainText):
    """A renderer for lines of JSON; errors are rendered as JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class Png(BaseRenderer):
    """A renderer for PNG bytes; errors are rendered as JSON."""

    media_type = "image/png"
    format = "png"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None
    ) -> bytes:
        """Encode a text or return the bytes; encode an error as JSON."""
        return data if isinstance(data, bytes) else wire.encode(data)
