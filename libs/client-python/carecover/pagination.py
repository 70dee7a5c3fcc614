"""Lists of resources."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

from .models import BulkJobResult, Slot

Item_co = TypeVar("Item_co", covariant=True)
P = ParamSpec("P")


class Page(Protocol[Item_co]):
    """One page of a list."""

    @property
    def data(self) -> Sequence[Item_co]: ...
    @property
    def has_more(self) -> bool: ...


def _next_place(last: Any) -> dict[str, Any]:
    """Returns the argument with which a list continues after an item."""
    if isinstance(last, BulkJobResult):
        return {"after_line": last.line}
    if isinstance(last, Slot):
        return {"from_": last.ends_at}
    return {"starting_after": last.id}


def iterate(
    list_operation: Callable[P, Page[Item_co]], *args: P.args, **kwargs: P.kwargs
) -> Iterator[Item_co]:
    """Calls a list operation with the arguments, and returns an iterator over every item of every page, in the order of the list.

    Example: `for claim in iterate(carecover.claims.list, status="queried"): print(claim.id)`
    """
    query: dict[str, Any] = dict(kwargs)
    while True:
        page = list_operation(*args, **query)
        yield from page.data
        if not page.has_more or not page.data:
            return
        query.update(_next_place(page.data[-1]))
