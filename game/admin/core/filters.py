"""A list filter with two states, of which the first is the default."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest


class TwoStateFilter(admin.SimpleListFilter):
    """Two states, such as open and closed. `?name=other` selects the second."""

    default_label: ClassVar[str]
    other_label: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Only the second state; Django adds a choice without a value."""
        return [("other", self.other_label)]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Both states; Django's choice "All" gets the label of the first."""
        default, *others = super().choices(changelist)
        yield {**default, "display": self.default_label}
        yield from others

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """The rows of the selected state."""
        return self.filter_rows(queryset, is_other=self.value() == "other")

    def filter_rows(self, queryset: Any, *, is_other: bool) -> Any:
        """Return the rows of the first or of the other state."""
        raise NotImplementedError
