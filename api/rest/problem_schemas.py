"""The JSON object of every error."""

from typing import TypedDict


class Problem(TypedDict):
    """An error; more fields may follow, such as `run` or `errors`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
