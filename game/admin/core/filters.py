"""A filter of two states, of which the list shows the first unless asked."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest


class EitherFilter(admin.SimpleListFilter):
    """Plainly one, on demand the other: open or closed, members or guests."""

    one: ClassVar[str]
    other: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The other; the one is what Django calls all."""
        return [("other", self.other)]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Both, by their names."""
        plain, *others = super().choices(changelist)
        yield {**plain, "display": self.one}
        yield from others

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """The rows of the state that is asked for."""
        return self.rows(queryset, is_other=self.value() == "other")

    def rows(self, queryset: Any, *, is_other: bool) -> Any:
        """The rows of the one state or the other."""
        raise NotImplementedError
