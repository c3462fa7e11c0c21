"""What may be written, and what never is: the one place that decides, asked by the command and the library."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import toy_kind as toy
from toy_kind import Run, shot

import solvepic
from solvepic import pipeline
from solvepic.errors import UsageError
from solvepic.output import Fingerprint, OutputError, Outputs, write_whole


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


INPUT_IN_THE_WAY = [
    ["a.png", "-o", "x.png", "--sheet", "a.png"],
    ["a.png", "-o", "x.png", "--report", "a.png"],
    ["a.png", "-o", "x.png", "--animate", "a.png"],
    ["a.png", "-o", "a.png"],
    ["a.png", "-o", "./a.png"],
    ["a.png", "-o", "link.png"],
    ["a.png", "-o", "hard.png"],
    ["link.png", "-o", "a.png"],
    ["a.png", "-o", "x.png", "--sheet", "hard.png"],
    ["a.png", "-o", "x.png", "--report", "sub/../a.png"],
    ["01-photo.png", "-o", "x.png", "--debug", "."],
]


@pytest.mark.parametrize("call", INPUT_IN_THE_WAY, ids=" ".join)
@pytest.mark.parametrize("overwrite", [False, True])
def test_an_input_is_never_written_by_whatever_name(call: list[str], overwrite: bool, run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png")
    shot(tmp_path / "01-photo.png")
    (tmp_path / "link.png").symlink_to("a.png")
    os.link(tmp_path / "a.png", tmp_path / "hard.png")
    (tmp_path / "sub").mkdir()
    before = contents(tmp_path)
    status, out, err = run(*call, *["--overwrite"] * overwrite)
    assert (status, out) == (2, "")
    assert "would be overwritten" in err
    assert contents(tmp_path) == before


OTHERS_IN_THE_WAY = [
    ["a.png", "-o", "mine.png"],
    ["a.png", "-o", "x.png", "--sheet", "mine.png"],
    ["a.png", "-o", "x.png", "--report", "mine.html"],
    ["a.png", "-o", "x.png", "--animate", "mine.gif"],
    ["a.png", "-o", "x.png", "--debug", "why"],
    ["a.png", "-o", "x.png", "--debug", "log"],
    ["a.png", "-o", "dangling.png"],
    ["a.png", "b.png", "-o", "out/"],
]


@pytest.mark.parametrize("call", OTHERS_IN_THE_WAY, ids=" ".join)
def test_nothing_that_exists_is_replaced_unasked(call: list[str], run: Run, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        shot(tmp_path / name)
    mine = ("mine.png", "mine.html", "mine.gif", "why/01-photo.png", "log/solvepic.log", "out/b.solved.png")
    for name in mine:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    (tmp_path / "dangling.png").symlink_to("nothing-there.png")
    before = contents(tmp_path)
    status, out, err = run(*call)
    assert (status, out) == (2, "")
    assert "exists already" in err
    assert contents(tmp_path) == before
    status, _, err = run(*call, "--overwrite")
    assert status == 0, err
    assert not (tmp_path / "nothing-there.png").exists(), "a link was followed"
    changed = {name for name in mine if (tmp_path / name).read_bytes() != b"mine"}
    assert changed == {name for name in mine if any(name.startswith(word.rstrip("/")) for word in call[2:])}


@pytest.mark.parametrize(
    "call",
    [
        ["a.png", "-o", "x.png", "--sheet", "x.png"],
        ["a.png", "-o", "x.png", "--sheet", "X.png"],
        ["a.png", "-o", "x.png", "--animate", "x.png"],
        ["a.png", "-o", "x.png", "--report", "r.png", "--sheet", "r.png"],
        ["a.png", "b.png", "-o", "out/", "--sheet", "out/a.solved.png"],
        ["a.png", "b.png", "-o", "out/", "--report", "out/solvepic.jsonl"],
    ],
    ids=" ".join,
)
def test_no_file_is_written_for_two_purposes(call: list[str], run: Run, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        shot(tmp_path / name)
    status, out, err = run(*call)
    assert (status, out) == (2, "")
    assert "would be one file" in err
    assert sorted(contents(tmp_path)) == ["a.png", "b.png"]


@pytest.mark.parametrize("name", ["x.webp", "x.txt", "x.pdf", "x.heic", "x.gif"])
@pytest.mark.parametrize("option", ["-o", "--sheet"])
def test_a_picture_is_what_its_name_says(name: str, option: str, run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png")
    status, _, err = run("a.png", option, name)
    assert status == 2
    assert "PNG or JPEG" in err
    assert sorted(contents(tmp_path)) == ["a.png"]


def test_each_picture_of_a_batch_has_stages_of_its_own(run: Run, tmp_path: Path) -> None:
    for name in ("x/a.png", "y/a.png"):
        shot(tmp_path / name)
    assert run("x", "y", "-o", "out", "--debug", "why")[0] == 0
    stages = contents(tmp_path / "why")
    assert sorted(stages) == ["0001-a/01-photo.png", "0002-a-2/01-photo.png", "solvepic.log"]
    status, _, err = run("x", "-o", "again", "--debug", "why")
    assert (status, "solvepic.log: exists already" in err) == (2, True)
    assert contents(tmp_path / "why") == stages
    assert run("x", "y", "-o", "again", "--debug", "why", "--overwrite")[0] == 0


def test_the_library_replaces_nothing_and_reads_what_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "KINDS", (toy.TOY,))
    picture = shot(tmp_path / "lib.png")
    there = shot(tmp_path / "ov/lib.solved.png", toy.SEVERAL)
    before = contents(tmp_path)
    with ThreadPoolExecutor(1) as pool:
        for overwrite in (False, True):
            with pytest.raises(ValueError, match="would be overwritten"):
                solvepic.solve_many([picture, there], output=tmp_path / "ov", executor=pool, overwrite=overwrite)
        with pytest.raises(ValueError, match="exists already"):
            solvepic.solve_many([picture], output=tmp_path / "ov", executor=pool)
        assert contents(tmp_path) == before
        assert [o.status for o in solvepic.solve_many(picture, executor=pool)] == ["solved"], "a single path"
        assert [o.image for o in solvepic.solve_many(str(picture), executor=pool)] == [str(picture)]
        outcomes = list(solvepic.solve_many([picture], output=tmp_path / "ov", executor=pool, overwrite=True))
    assert [Path(o.overlay or "").name for o in outcomes] == ["lib.solved.png"]


@pytest.mark.parametrize("workers", [0, -1, 1.5])
def test_workers_are_checked(workers: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workers"):
        solvepic.solve_many([shot(tmp_path / "a.png")], workers=workers)


def test_an_empty_name_is_no_folder(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png")
    for call in ([""], ["a.png", ""], ["a.png", "-o", ""]):
        status, _, err = run(*call)
        assert status == 2
        assert "empty" in err
    with pytest.raises(UsageError, match="without a name"):
        solvepic.solve_many("")
    assert sorted(contents(tmp_path)) == ["a.png"]


def test_what_appears_while_a_picture_is_solved_stays(tmp_path: Path) -> None:
    target = tmp_path / "x.png"
    target.write_text("came meanwhile")
    with pytest.raises(OutputError, match="exists already"):
        write_whole(target, b"new")
    assert contents(tmp_path) == {"x.png": b"came meanwhile"}, "no temporary file stays"
    write_whole(target, b"came meanwhile")
    assert Fingerprint.written(target, b"came meanwhile") == Fingerprint.of(target)
    write_whole(target, b"new", replace=True)
    assert contents(tmp_path) == {"x.png": b"new"}


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "x.png").symlink_to("victim")
    with pytest.raises(OutputError, match="exists already"):
        write_whole(tmp_path / "x.png", b"precious")
    write_whole(tmp_path / "x.png", b"new", replace=True)
    assert contents(tmp_path) == {"victim": b"precious", "x.png": b"new"}
    assert not (tmp_path / "x.png").is_symlink()


def test_what_a_batch_wrote_may_be_replaced_until_somebody_changes_it(tmp_path: Path) -> None:
    target = tmp_path / "x.png"
    write_whole(target, b"first")
    wrote = Fingerprint.written(target, b"first")
    assert Outputs([], proven={str(target): wrote}).register(target, "the solved picture")
    os.utime(target, (1, 1))
    assert Outputs([], proven={str(target): wrote}).register(target, "the solved picture"), "the same contents"
    target.write_text("mine!")
    with pytest.raises(UsageError, match="changed since a batch wrote it"):
        Outputs([], proven={str(target): wrote}).register(target, "the solved picture")
    target.unlink()
    target.symlink_to("elsewhere")
    with pytest.raises(UsageError, match="exists already"):
        Outputs([], proven={str(target): wrote}).register(target, "the solved picture")


def test_a_picture_of_what_was_read_takes_the_place_of_no_other(run: Run, tmp_path: Path) -> None:
    shot(tmp_path / "a.png", toy.DOUBTFUL)
    (tmp_path / "a.read.png").write_text("mine")
    assert run("a.png")[0] == 3
    assert run("a.png")[0] == 3, "the same again is left as it is"
    assert sorted(contents(tmp_path)) == ["a-2.read.png", "a.png", "a.read.png"]
    assert (tmp_path / "a.read.png").read_text() == "mine"
    assert run("a.png", "--overwrite")[0] == 3
    assert (tmp_path / "a.read.png").read_bytes()[:4] == b"\x89PNG"
