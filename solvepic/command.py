"""The command line: options in, lines or JSON out, an exit status at the end.

Standard output carries results only; progress, warnings and sentences about mistakes go to standard error.
"""

import contextlib
import io
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from overlay.paint import MoveStyle
from solvepic import __version__, batch, sentences, written
from solvepic.errors import UsageError
from solvepic.jobs import Job, going_on, permitted, plan
from solvepic.journal import NAME, Journal
from solvepic.launch import INTERRUPTED
from solvepic.options import DEFAULT_SECONDS, Options
from solvepic.output import (
    STAGE_LOG,
    STANDARD_INPUT,
    Fingerprint,
    OutputError,
    Outputs,
    check_suffix,
    is_folder,
    is_link,
)
from solvepic.registry import KINDS, forms
from solvers.kind import Record
from vision.pictures.loading import MAX_MEGAPIXELS, BadPictureError, read_bounded
from vision.trace import log

FEW = 4
"""From this many pictures on, worker processes are worth starting."""

SUMMED_UP = ("image", "status", "overlay", "read_picture", "remedy", "message", "failure")
"""The fields of a record that the summaries of a batch look at."""


SHOWN = ("overlay", "read_picture")
"""The fields with the files that can be opened, the first that there is."""

Ocr = Literal["auto", "tesserocr", "tesseract"]


class _DefaultToSolve(typer.core.TyperGroup):
    """``solvepic picture.png`` means ``solvepic solve picture.png``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {"-h", "--help", "--version", "--install-completion", "--show-completion"}
        if args and args[0] not in own and args[0] not in self.commands:
            near = get_close_matches(args[0].casefold(), self.commands, n=1)
            if near and not args[0].startswith("-") and not os.path.lexists(args[0]):
                raise UsageError(f"{args[0]}: neither a command nor a picture; did you mean solvepic {near[0]}?")
            args = ["solve", *args]
        # How many hints may be left out, which no option of this library can have.
        args = [f"{arg}=1" if arg == "--hint" and not after.isdecimal() else arg for arg, after in _pairs(args)]
        return super().parse_args(ctx, args)


def _pairs(args: list[str]) -> "Iterator[tuple[str, str]]":
    """Each argument with the one after it; after the last comes an empty one."""
    return zip(args, [*args[1:], ""], strict=False)


app = typer.Typer(
    cls=_DefaultToSolve,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Point it at a picture of a puzzle, get the picture back solved: solvepic screenshot.png",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def run() -> NoReturn:
    """Run the command and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A file's name may hold bytes that are no text; they are shown, and in JSON are valid, as escapes.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        _check_current_folder()
        app()
    except (UsageError, OutputError) as error:
        _leave(str(error), sentences.USAGE)
    except BrokenPipeError:
        _leave_unheard()
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # Typer makes a 1 of it
            _leave_unheard()
        if left.code == INTERRUPTED:
            _warn("stopped; what was done is kept")
        raise
    except KeyboardInterrupt:
        _leave("stopped; what was done is kept", INTERRUPTED)
    sys.exit(sentences.OK)


def _check_current_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        text = f"the current folder is gone or cannot be read ({error.strerror}); change to another"
        raise UsageError(text) from None


def _leave_unheard() -> NoReturn:
    """Whoever read our output has gone; nothing is left to say."""
    _mute()
    sys.exit(sentences.OK)


def _mute() -> None:
    # What is still buffered must not fail once more at the very end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(message: str, status: int) -> NoReturn:
    _warn(message)
    sys.exit(status)


def _warn(text: str) -> None:
    """Say something to people, on standard error."""
    with contextlib.suppress(OSError):  # nobody is there to be told
        print(f"solvepic: {sentences.printable(text)}", file=sys.stderr, flush=True)  # noqa: T201


def _say(text: str) -> None:
    """Print a result, on standard output."""
    try:
        print(sentences.printable(text), flush=True)  # noqa: T201
    except BrokenPipeError:
        raise
    except OSError as error:
        _mute()
        text = f"standard output cannot be written ({error.strerror}); what was done is kept"
        _leave(text, sentences.UNEXPECTED)


def _show_version(wanted: bool) -> None:
    if wanted:
        _say(f"solvepic {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version and stop.")
    ] = False,
) -> None:
    """Point it at a picture of a puzzle, get the picture back solved."""


@app.command()
def solve(
    pictures: Annotated[
        list[str] | None, typer.Argument(help="Pictures, folders of pictures, or - for standard input.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="FILE", help="A puzzle as text in place of pictures, or -."),
    ] = None,
    export: Annotated[
        str | None, typer.Option(help=f"Print what was read and draw nothing: {', '.join(forms())}.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="File or folder for the solved pictures; default: beside each.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help=f"Kind of puzzle: {', '.join(k.name for k in KINDS)}; default: find out.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a picture.")] = False,
    debug: Annotated[Path | None, typer.Option(help="Folder for stage pictures and a log.")] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds for reading and solving one picture.")] = (
        DEFAULT_SECONDS
    ),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")] = False,
    size: Annotated[str | None, typer.Option(help="The grid's size, such as 14x8; default: measure it.")] = None,
    correct: Annotated[
        list[str] | None, typer.Option("--set", help="What stands on a cell, such as r3c4=12; may be repeated.")
    ] = None,
    corners: Annotated[
        str | None, typer.Option(help='The board\'s corners in pixels: "x,y x,y x,y x,y", clockwise from top left.')
    ] = None,
    closed: Annotated[bool, typer.Option("--closed", help="Ask for a closed knight's tour.")] = False,
    style: Annotated[MoveStyle, typer.Option(help="How moved pieces are shown.")] = "both",
    hint: Annotated[
        int, typer.Option("--hint", min=0, metavar="[N]", help="Show the next step, or the next N, and why; no answer.")
    ] = 0,
    check: Annotated[bool, typer.Option("--check", help="Show what was placed wrongly, and nothing more.")] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Write the solved board into the terminal, in characters.")
    ] = False,
    read_picture: Annotated[
        bool, typer.Option("--read-picture/--no-read-picture", help="Write what was read beside a refused picture.")
    ] = True,
    animate: Annotated[
        Path | None, typer.Option(help="Write a film of the search: .gif, or .png for an animated PNG.")
    ] = None,
    ocr: Annotated[Ocr, typer.Option(help="The OCR engine.")] = "auto",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes for many pictures; default: one a core.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted batch.")] = False,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first picture that is not solved.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be written, and stop.")] = False,
    opens: Annotated[bool, typer.Option("--open", help="Show the result with the system's viewer.")] = False,
    clipboard: Annotated[
        bool, typer.Option("--clipboard", help="Take the picture from the clipboard, and put the solved one there.")
    ] = False,
    sheet: Annotated[Path | None, typer.Option(help="Write a contact sheet of all pictures to this file.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with before and after to this file.")] = None,
    dask: Annotated[str | None, typer.Option(help="Work on a Dask cluster: its scheduler's address.")] = None,
    max_megapixels: Annotated[float, typer.Option(min=0.01, help="The largest picture that is opened.")] = (
        MAX_MEGAPIXELS
    ),
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no lines for solved pictures.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more about every stage.")] = False,
) -> None:
    """Solve the puzzles in pictures and write the pictures back with the solutions drawn on them."""
    _set_up_log(verbose)
    options = Options(
        kind=written.kind(kind),
        time_limit=time_limit,
        ocr=ocr,
        size=written.size(size),
        corners=written.corners(corners),
        set=written.given(correct or ()),
        closed=closed,
        style=style,
        hint=hint,
        check=check,
        read_picture=read_picture,
        max_megapixels=max_megapixels,
        debug=debug,
    )
    if sheet is not None:
        check_suffix(sheet, "the contact sheet")
    if export is not None and export not in forms():
        raise UsageError(f"--export {export}: there are {', '.join(forms())}")
    puzzle = _text(text, pictures or [], options.kind)
    names = pictures or ([] if text is None else [text])
    if clipboard and (names or export is not None):
        raise UsageError("--clipboard takes the picture from there and puts the solved one there: name none beside it")
    write = output is not None if clipboard else export is None or output is not None
    jobs, folder = plan([STANDARD_INPUT] if clipboard else names, output, options, write)
    jobs = [_from_clipboard(job) if clipboard else job for job in jobs]
    jobs = [replace(job, text=puzzle, export=export) for job in jobs]
    jobs = going_on(jobs) if hint and output is None and not overwrite else jobs
    if animate is not None:
        jobs = [_filmed(jobs, animate)]
    jobs = [replace(job, show=show) for job in jobs]
    if dry_run:
        for job in jobs:
            _say(f"{job.image} -> {job.target or job.image}")
        return
    journal = Journal(folder / NAME) if folder is not None else None
    work = _Work(jobs, journal, workers, fail_fast, dask, sheet, report, opens, debug)
    work.prepare(overwrite, resume)
    if debug is not None:
        _log_into(debug)
    if work.again and not quiet:
        _warn(sentences.resumed(len(work.kept), len(work.jobs), work.again))
    records = []
    try:
        with _progress(len(work.jobs), quiet) as advance:
            for record in work.records():
                # Only what the summaries need, so that memory does not grow with the size of the answers.
                records.append({key: record[key] for key in SUMMED_UP if key in record})
                advance(record)
                _print(record, as_json, quiet)
        if len(records) > 1 and not quiet and not as_json:
            _say(sentences.summary(records))
        work.sum_up([*work.kept, *records])
    finally:
        if journal is not None:
            journal.end()
    raise typer.Exit(sentences.exit_status([*work.kept, *records]))


@app.command()
def watch(
    folder: Annotated[Path, typer.Argument(help="The folder where captures arrive.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Folder for the solved pictures.")] = None,
    kind: Annotated[str | None, typer.Option(help="Kind of puzzle; default: find out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a picture.")] = False,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds for one picture.")] = DEFAULT_SECONDS,
    hint: Annotated[int, typer.Option("--hint", min=0, metavar="[N]", help="Show the next step, or the next N.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")] = False,
    report: Annotated[Path | None, typer.Option(help="Keep an HTML page with before and after in this file.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Solve what came within this time before, too, such as 90m or 1d.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say more about every stage.")] = False,
) -> None:
    """Solve new captures as they arrive in a folder, until Ctrl-C."""
    from solvepic.watch import Report  # noqa: PLC0415  (solving needs none of it)
    from solvepic.watch import watch as arrivals  # noqa: PLC0415

    _set_up_log(verbose)
    if not is_folder(folder):
        raise UsageError(f"{folder}: no such folder; name the one where captures arrive")
    options = Options(kind=written.kind(kind), time_limit=time_limit, hint=hint)
    seconds, page = written.duration(since), Report(report, overwrite) if report is not None else None
    _warn(f"watching {folder}; Ctrl-C stops")
    for record in arrivals(folder, output, options, overwrite=overwrite, since=seconds):
        if page is not None:
            page.add(record)
        _print(record, as_json, quiet=False)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; default: every one of this computer.")] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for a free one.")] = 8765,
    local: Annotated[bool, typer.Option("--local", help="For this computer alone.")] = False,
    opens: Annotated[bool, typer.Option("--open", help="Open the page in a browser here.")] = False,
    cert: Annotated[Path | None, typer.Option(help="A certificate in PEM, for HTTPS.")] = None,
    key: Annotated[Path | None, typer.Option(help="The certificate's key.")] = None,
    address: Annotated[
        list[str] | None, typer.Option(help="A name or address of this computer, where it is not found out.")
    ] = None,
) -> None:
    """Serve a page for phones: take a picture of the board, get hints, checks and the solution.

    The environment variable SOLVEPIC_TOKEN holds the code of the link where it should stay the same; else it is random.
    """
    try:
        from solvepic.web import serve as page  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        text = f"serve needs the extra web ({error.name} is missing): pip install 'solvepic[web]'"
        raise UsageError(text) from None

    token = os.environ.get("SOLVEPIC_TOKEN") or None
    page.serve(page.Settings(host, port, local, opens, cert, key, address or (), token), _show)


def _show(line: str) -> None:
    """A line for people, as it is: a QR code is colours and blocks."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


@app.command()
def doctor(
    picture: Annotated[Path | None, typer.Argument(help="A picture that is read wrongly.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The zip file; default: beside it.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a zip file that exists.")] = False,
) -> None:
    """Say which OCR engines, data and versions are here, and what to install if something is missing.

    With a picture: pack it, its stages, its record and the versions into a zip file, for a report of a fault.
    """
    from solvepic.doctor import pack, report  # noqa: PLC0415  (solving needs none of it)

    if picture is not None:
        target, record = pack(picture, output, overwrite=overwrite)
        _warn(sentences.line(record))
        _say(f"{target}: holds the picture itself, its stages, its record and the versions; attach it to a report")
        return
    lines, well = report()
    for line in lines:
        _say(line)
    raise typer.Exit(sentences.OK if well else sentences.UNEXPECTED)


def _text(name: str | None, pictures: Sequence[str], kind: str | None) -> str | None:
    """The text of a puzzle, read and understood before anything is written; None where none is named."""
    if name is None:
        return None
    from solvepic.texts import MOST_CHARACTERS, imported  # noqa: PLC0415  (pictures need none)

    if pictures:
        raise UsageError("--text takes the place of pictures; name one or the other")
    try:
        with contextlib.nullcontext(sys.stdin.buffer) if name == STANDARD_INPUT else Path(name).open("rb") as file:
            text = file.read(4 * MOST_CHARACTERS + 1).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"--text {name}: the file is no text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"--text {name}: cannot be read ({reason}); name a file that holds a puzzle") from None
    imported(text, kind)
    return text


def _filmed(jobs: Sequence[Job], target: Path) -> Job:
    if len(jobs) > 1:
        raise UsageError("--animate makes a film of one picture; name a single one")
    if target.suffix.lower() not in (".gif", ".png"):
        raise UsageError(f"--animate {target}: name a file that ends in .gif or .png")
    return replace(jobs[0], film=str(target))


@dataclass
class _Work:
    """The jobs of one call of the command, with the journal of a batch where there is one."""

    jobs: list[Job]
    journal: Journal | None
    workers: int | None
    fail_fast: bool
    dask: str | None = None
    sheet: Path | None = None
    report: Path | None = None
    opens: bool = False
    debug: Path | None = None
    kept: Sequence[Record] = ()
    again: Counter[str] = field(default_factory=Counter)
    replaceable: frozenset[Path] = frozenset()

    def prepare(self, overwrite: bool, resume: bool) -> None:
        """Make sure nothing is lost, and leave out what an interrupted batch has done already."""
        if resume and self.journal is None:
            raise UsageError("--resume goes on with a batch: name its folder with -o")
        if self.opens and len(self.jobs) > 1 and self.report is None:
            raise UsageError("--open shows what came of one picture; for several give --report, which is opened then")
        outputs = Outputs([job.image for job in self.jobs], overwrite)
        if self.journal is not None:
            self._take_up(self.journal, outputs, resume)
        if self.debug is not None:
            outputs.register_stages(self.debug)
        self.jobs = permitted(self.jobs, outputs)
        # A report of the same batch is written anew with it.
        outputs.adopts = False
        wanted = [(self.sheet, "the contact sheet"), (self.report, "the report")]
        self.replaceable = frozenset([path for path, what in wanted if path and outputs.register(path, what)])
        if self.journal is not None:
            self.journal.begin(anew=not resume)
        if self.jobs and self.jobs[0].image == STANDARD_INPUT and self.jobs[0].text is None:
            self.jobs = [replace(self.jobs[0], data=_standard_input())]

    def _take_up(self, journal: Journal, outputs: Outputs, resume: bool) -> None:
        there = os.path.lexists(journal.path)
        if there and (is_link(journal.path) or not journal.path.is_file()):
            raise UsageError(f"{journal.path}: not a log of a batch; remove it, or name another folder with -o")
        if there and not resume and not outputs.overwrite:
            raise UsageError(f"{journal.path}: an earlier batch's log; go on with --resume or use --overwrite")
        outputs.adopts, outputs.proven = resume, journal.proven()
        outputs.reserve(journal.path, "the log of the batch")
        self.jobs = [replace(job, journaled=True) for job in self.jobs]
        if resume:
            self.jobs, self.kept, self.again = journal.remaining(self.jobs)

    def records(self) -> Iterator[Record]:
        """The record of each picture as it is done; each is in the journal before it is yielded."""
        ahead, workers = self._workers()
        with workers as submit:
            for record in batch.run(self.jobs, submit, ahead):
                if self.journal is not None:
                    self.journal.append({key: value for key, value in record.items() if key != "shown"})
                yield {key: value for key, value in record.items() if key != "batch"}
                if self.fail_fast and sentences.exit_status([record]) != sentences.OK:
                    return

    def _workers(self) -> tuple[int, contextlib.AbstractContextManager[batch.Submit[Record]]]:
        if self.dask is not None:
            from solvepic.cluster import cluster  # noqa: PLC0415  (an extra)

            return batch.FAR_AHEAD, cluster(self.dask)
        if self.workers is None and len(self.jobs) < FEW and all(map(batch.is_light, self.jobs)):
            return 1, batch.in_process()
        count = len(self.jobs)
        # What is heavy is done in a process because that can be ended, and several at once might need much memory.
        workers = 1 if self.workers is None and count < FEW else self.workers
        return batch.AHEAD * batch.usable(workers, count), batch.pool(workers, batch.work, count)

    def sum_up(self, records: Sequence[Record]) -> None:
        """Write what was asked for about the batch as a whole, and open what is to be looked at."""
        if self.sheet is not None or self.report is not None:
            self._write_summaries(records)
        if self.opens:
            _open(self.report or next((path for key in SHOWN for record in records if (path := record.get(key))), None))

    def _write_summaries(self, records: Sequence[Record]) -> None:
        from solvepic.report import write_report, write_sheet  # noqa: PLC0415  (most runs want neither)

        for path, write in ((self.sheet, write_sheet), (self.report, write_report)):
            if path is not None:
                data = write(path, records, replace=path in self.replaceable)
                if self.journal is not None:
                    self.journal.wrote(path, Fingerprint.written(path, data))


def _open(path: str | Path | None) -> None:
    """Show a file with the system's viewer."""
    if path is None or str(path) == STANDARD_INPUT:
        _warn("--open: no picture was written that could be shown")
    elif typer.launch(str(Path(path).absolute())):
        _warn(f"--open: no viewer was found for {path}; open it yourself")


def _from_clipboard(job: Job) -> Job:
    from solvepic import clipboard  # noqa: PLC0415  (few runs want it)

    return replace(job, image=clipboard.NAME, data=clipboard.taken(), clipboard=True)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UsageError("-: standard input is closed; give a picture there, or name a file")
    try:
        return read_bounded(sys.stdin.buffer, "standard input")
    except BadPictureError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"-: standard input cannot be read ({error.strerror})") from None


def _print(record: Record, as_json: bool, quiet: bool) -> None:
    board = record.pop("shown", "")
    if board:
        from solvepic.show import show  # noqa: PLC0415  (most runs show nothing)

        show(board)
    if as_json:
        _say(json.dumps(record, ensure_ascii=False))
    elif "export" in record:
        for line in record["export"].splitlines():
            _say(line)
        if record["status"] != "solved":
            print(f"solvepic: {sentences.line(record)}", file=sys.stderr, flush=True)  # noqa: T201
    elif record["status"] == "solved":
        if not quiet:
            _say(sentences.line(record))
    else:
        _warn(sentences.line(record))
    if "failure" in record:
        log.debug("%s", record["failure"])


@contextlib.contextmanager
def _progress(total: int, quiet: bool) -> "Iterator[batch.Advance]":
    """A bar on standard error for many pictures, where a person looks at it."""
    if quiet or total < FEW or not sys.stderr.isatty():
        yield lambda record: None
        return
    from solvepic.progress import bar  # noqa: PLC0415  (rich is worth loading for many pictures only)

    with bar(total) as advance:
        yield advance


class _Printable(logging.Formatter):
    def format(self, entry: logging.LogRecord) -> str:
        return sentences.printable(super().format(entry), keep="\n")


def _set_up_log(verbose: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.DEBUG if verbose else logging.WARNING)
    handler.setFormatter(_Printable("solvepic: %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)


def _log_into(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = logging.FileHandler(folder / STAGE_LOG, mode="x", encoding="utf-8", errors="backslashreplace")
    file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log.addHandler(file)
