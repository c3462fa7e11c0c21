"""Text that is put together from parts, and can be put together in another language as well."""

from collections.abc import Sequence
from functools import reduce

from solvers.board import Cell


class Message(str):
    """An English text that keeps what it was made of.

    As in gettext the English template is the message's identifier: a catalogue gives for it the template of another
    language. Values that are messages themselves are translated likewise.

    Attributes:
        template: the text, with named fields as of :meth:`str.format`.
        values: what stands in the fields.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> "Message":
        """The template with its fields filled in."""
        made = super().__new__(cls, template.format(**values))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """What makes a copy, for :mod:`pickle` and :mod:`copy`."""
        return (self.template,), self.values


def listed(words: Sequence[str], most: int = 4) -> str:
    """``a, b and c`` of at least one; of more than ``most`` the first and how many more there are."""
    if len(words) > most:
        words = [*words[: most - 1], Message("{count} more", count=len(words) - most + 1)]
    if len(words) == 1:
        return words[0]
    return Message("{one} and {other}", one=joined(words[:-1]), other=words[-1])


def joined(words: Sequence[str], two: str = "{one}, {other}") -> str:
    """``a, b, c``; ``two`` is the template that joins two."""
    return reduce(lambda one, other: Message(two, one=one, other=other), words)


def counted(count: int, one: str, many: str) -> str:
    """``one`` or ``many`` with the field ``{count}`` filled in."""
    return Message(one if count == 1 else many, count=count)


def square(cell: Cell) -> str:
    """A cell of a grid in words, counted from 1 as people do."""
    return Message("row {row}, column {column}", row=cell[0] + 1, column=cell[1] + 1)


def pit(cell: Cell) -> str:
    """A cell of a tray whose rows are shifted, in words."""
    return Message("row {row}, place {place}", row=cell[0] + 1, place=cell[1] + 1)
