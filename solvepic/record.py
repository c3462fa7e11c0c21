"""The JSON object of a picture, as ``--json`` prints it and ``outcome.record()`` gives it; docs/json.md explains it."""

from typing import Any, NotRequired, TypedDict

from solvers.kind import Record as KindRecord


class Repaired(TypedDict):
    """A clue that reasoning corrected."""

    cell: list[int]
    read: str
    used: str


class Doubted(TypedDict):
    """A cell that was not read with certainty."""

    cell: list[int]
    read: str
    confidence: float
    why: str
    instead: list[str]
    settle: str


class Answers(TypedDict):
    """How many answers were found, and whether these are all."""

    found: int
    all: bool


class Where(TypedDict):
    """Where the board lies: its corners in pixels of the file."""

    corners: list[list[float]]


class Hint(TypedDict):
    """A step with its reason: the cells to look at, the rule, the sentence, how it is drawn, and what is placed."""

    cells: list[list[int]]
    rule: str
    because: str
    marks: list[KindRecord]
    placed: KindRecord


class Checked(TypedDict):
    """What was found of that which stands: the wrong ones, other sets that could be meant, whether all is done."""

    wrong: list[KindRecord]
    rivals: list[list[KindRecord]]
    complete: bool
    settled: bool


class Difficulty(TypedDict):
    """What is left to do: the hardest rule, the number of steps, whether trying is needed."""

    rule: str | None
    steps: int
    trying: bool


class Record(TypedDict):
    """What came of one picture."""

    image: str
    status: str
    kind: str | None
    puzzle: KindRecord | None
    solution: KindRecord | None
    unique: bool | None
    solutions: Answers | None
    confidence: float
    repairs: list[Repaired]
    doubts: list[Doubted]
    left_alone: list[str]
    placed: list[KindRecord]
    difficulty: Difficulty | None
    hint: Hint | None
    hints: list[Hint]
    check: Checked | None
    board: Where | None
    overlay: str | None
    read_picture: str | None
    cause: str | None
    remedy: str
    seconds: dict[str, float]
    nodes: int
    message: str
    notes: list[str]
    failed: str | None
    failure: NotRequired[str]
    shown: NotRequired[str]
    export: NotRequired[str]
    batch: NotRequired[KindRecord]


def as_json(value: Any) -> Any:
    """Tuples as lists all the way down, as JSON has them."""
    if isinstance(value, dict):
        return {key: as_json(each) for key, each in value.items()}
    return [as_json(each) for each in value] if isinstance(value, (list, tuple)) else value


def command_with(image: str, remedy: str) -> str:
    """The command that solves a picture with the options of ``remedy``, to be pasted into a shell."""
    import shlex  # noqa: PLC0415  (only refusals propose a command)

    return f"solvepic {shlex.quote(image)} {remedy}"
