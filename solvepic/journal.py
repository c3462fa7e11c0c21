"""The log of a batch: a JSON record a line, appended as each picture is done, so that an interruption loses nothing."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from solvepic.jobs import Job
from solvepic.output import OutputError
from solvers.kind import Record

NAME = "solvepic.jsonl"


class Journal:
    """Records of a batch in a file that is only ever appended to."""

    def __init__(self, path: Path) -> None:
        """A journal at ``path``; nothing is opened yet."""
        self.path = path

    def records(self) -> list[Record]:
        """The records written so far; a last line that was cut off is not one."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be read ({error.strerror})") from None
        whole = []
        for line in lines[:-1]:  # what follows the last line break is empty or was cut off
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and "image" in record:
                whole.append(record)
        return whole

    def restart(self, records: Sequence[Record] = ()) -> None:
        """Begin anew with these records: all that a resumed batch keeps."""
        text = "".join(_line(record) for record in records)
        temporary = self.path.with_suffix(".jsonl.tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
            temporary.replace(self.path)
        except OSError as error:
            raise OutputError(
                f"{self.path}: cannot be written ({error.strerror}); choose another place with -o"
            ) from None

    def append(self, record: Record) -> None:
        """Add a record and make sure that it is on the disk."""
        try:
            with self.path.open("ab") as file:
                file.write(_line(record).encode(errors="backslashreplace"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror}); the batch was stopped") from None

    def remaining(self, jobs: Sequence[Job]) -> tuple[list[Job], list[Record]]:
        """The jobs that have no record yet, and the records of the others, each image once."""
        done = {record["image"]: record for record in self.records()}
        kept = [done[job.image] for job in jobs if job.image in done]
        return [job for job in jobs if job.image not in done], kept


def _line(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
