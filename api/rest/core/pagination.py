"""Pages by cursor: {results, next}, 100 at most. Stable while rows are added."""

from typing import Any

from rest_framework import exceptions, pagination
from rest_framework.request import Request
from rest_framework.response import Response


class CursorPage(pagination.CursorPagination):
    """`?cursor=&limit=`; `next` is a whole URL, or null at the end."""

    page_size = 20
    max_page_size = 100
    page_size_query_param = "limit"
    ordering = ("-started_at", "-id")
    invalid_cursor_message = "That cursor is not one of ours."

    def get_page_size(self, request: Request) -> int:
        """The limit asked for; refused, not guessed, where it is no number."""
        text = request.query_params.get("limit")
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 100):
            raise exceptions.ParseError("limit is a number from 1 to 100.")
        return int(text)

    def decode_cursor(self, request: Request) -> Any:
        """The place to go on from; a broken cursor is a malformed request."""
        try:
            return super().decode_cursor(request)
        except exceptions.NotFound as error:
            raise exceptions.ParseError(self.invalid_cursor_message) from error

    def get_paginated_response(self, data: Any) -> Response:
        """The page."""
        return Response({"results": data, "next": self.get_next_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The page, for OpenAPI."""
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {
                "results": schema,
                "next": {"type": ["string", "null"], "format": "uri"},
            },
        }
