"""Reports each move to the log and to Prometheus, whichever entry point it came by.

One log line a move, event `move`, at INFO: {entry, run, race, account, index, code,
ms}. It names no card and no move, so that it cannot reveal what others have not seen.
Metrics: `scoundrel_moves_total{entry, code}`, `scoundrel_move_seconds{entry}`.
"""

import time
from types import TracebackType
from typing import Any, Literal, Self

import structlog
from prometheus_client import Counter, Histogram

from game.rules import Refusal
from game.selectors.runs.schemas import MoveAnswer

log = structlog.get_logger(__name__)

ACCEPTED, REPLAYED, FAILED = "accepted", "replayed", "server.error"
MOVES = Counter(
    "scoundrel_moves",
    "Moves by entry point and result: accepted, replayed, or the code of the refusal.",
    ["entry", "code"],
)
SECONDS = Histogram(
    "scoundrel_move_seconds",
    "From the request to the answer of a move, refused ones included.",
    ["entry"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)


class MoveReport:
    """A context manager around the whole handling of one move.

    Set `account` and `index` when they become known, and `answer` when the move is
    committed. An exception that leaves the block is reported and passed on: a refusal
    by its code, anything else as "server.error". `context` is added to the log line.
    """

    def __init__(
        self,
        entry: Literal["rest", "ws"],
        *,
        run: str | None = None,
        race: str | None = None,
        account: str | None = None,
        index: int | None = None,
        **context: Any,
    ) -> None:
        self.entry, self.run, self.race = entry, run, race
        self.account, self.index = account, index
        self.answer: MoveAnswer | None = None
        self._context = context

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        seconds = time.perf_counter() - self._started
        code = self._code(error)
        MOVES.labels(self.entry, code).inc()
        SECONDS.labels(self.entry).observe(seconds)
        run = self.answer["run"] if self.answer else None
        log.info(
            "move",
            entry=self.entry,
            run=run["id"] if run else self.run,
            race=run["race"] if run else self.race,
            account=self.account,
            index=self.index,
            code=code,
            ms=round(seconds * 1000, 1),
            **self._context,
        )

    def _code(self, error: BaseException | None) -> str:
        if isinstance(error, Refusal):
            return error.code
        if error is not None or self.answer is None:
            return FAILED
        return REPLAYED if self.answer["replayed"] else ACCEPTED
