"""The command in this process, with the made-up kind."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_kind import TOY, Run

from solvepic import command, pipeline


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[Run]:
    """Calls the command in ``tmp_path``; returns its exit status and what it printed."""
    # The log's handlers are the process's, and it is the command's no longer than a test.
    monkeypatch.setattr(command.log, "handlers", [])
    monkeypatch.setattr(pipeline, "KINDS", (TOY,))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["solvepic", *map(str, arguments)])
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            command.run()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    yield call
    for handler in command.log.handlers:
        handler.close()
