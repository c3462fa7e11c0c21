"""Bent Stitch boards as a browser draws them, in SVG: cloth, ropes, threads and outlines that share nothing with those
of :mod:`samples.stitch`; see :mod:`samples.browser`.
"""

import cmath
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import cos, degrees, exp, hypot, sin, tau
from random import Random

from samples.browser import AROUND, FACES, Page, beside, edge, hsl, new_page
from samples.puzzles.outlines import FORMS
from samples.puzzles.stitch import make
from solvers import stitch
from solvers.board import Cell
from solvers.stitch import Patch

Point = tuple[float, float]

Warp = Callable[[Point], Point]
"""Takes a point in cells, x and y, to where it lies on the sheet."""

STEPS = 6
"""Parts of a cell's side that are drawn straight."""

LEAST_AREA = 0.45
"""Least area of a part of a cell, against the mean, and greatest, as its inverse squared."""

CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def hoop_page(rng: Random) -> Page:
    """A board with bent cells, in part of them with patches found."""
    rows, cols = rng.randint(4, 9), rng.randint(4, 9)
    holes = round(rng.uniform(0.0, 0.4) * rows * cols)
    puzzle, answer = make(rng, rows, cols, holes=holes, form=rng.choice(FORMS), unique=True)
    share = rng.choice([0.0, 0.0, 0.4, 0.6])
    found = {patch.clue for patch in answer if rng.random() < share}
    cells = set(puzzle.cells)
    warp = _fitting(rng, rows, cols, cells)
    rims = [at for cell in cells for at in _side_points(warp, cell)]
    left, top, right, bottom = (
        least(point[axis] for point in rims) for least, axis in ((min, 0), (min, 1), (max, 0), (max, 1))
    )
    box = ((0.0, 0.0), (right - left, 0.0), (right - left, bottom - top), (0.0, bottom - top))
    page = new_page(rng, bottom - top, right - left, {"kind": "stitch", **stitch.puzzle_record(puzzle)}, box)

    def to_page(point: Point) -> Point:
        x, y = warp(point)
        return page.left + (x - left) * page.side, page.top + (y - top) * page.side

    names = {cell: f"{cell[0]},{cell[1]}" for cell in sorted(cells)}
    page.truth |= {
        "unique": True,
        "bent": True,
        "filled_clues": [list(cell) for cell in sorted(found)],
        "solution": stitch.answer_record(puzzle, answer),
        "cell_centers": {name: page.pixel(to_page((c + 0.5, r + 0.5))) for (r, c), name in names.items()},
        "mesh": {name: [page.pixel(to_page((c + dx, r + dy))) for dx, dy in CORNERS] for (r, c), name in names.items()},
    }
    _draw(rng, page, to_page, puzzle, [patch for patch in answer if patch.clue in found])
    return page


# --- the sheet --------------------------------------------------------------------------------------------------------


def _fitting(rng: Random, rows: int, cols: int, cells: Iterable[Cell]) -> Warp:
    """A map on which no part of a cell is folded, or much larger than others."""
    bend = rng.uniform(0.4, 1.3)
    while True:
        warp = _warp(rng, rows, cols, bend)
        areas = [_area(warp, (c + dx / 2, r + dy / 2)) for r, c in cells for dx in (0, 1) for dy in (0, 1)]
        mean = sum(areas) / len(areas)
        if min(areas) > LEAST_AREA * mean and max(areas) < mean / LEAST_AREA**2:
            return warp
        bend *= 0.9


def _area(warp: Warp, at: Point) -> float:
    """The oriented area of half a cell's square."""
    (x0, y0), (x1, y1), (x2, y2) = warp(at), warp((at[0] + 0.5, at[1])), warp((at[0], at[1] + 0.5))
    return (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)


def _warp(rng: Random, rows: int, cols: int, bend: float) -> Warp:
    """Bulges, shaken corners, a spiral (the complex exponential, which is conformal), and a shear."""
    middle = complex(cols / 2, rows / 2)
    span = max(rows, cols)
    whirl = complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) * bend * 0.9 / span
    bulges = [
        (complex(rng.uniform(0, cols), rng.uniform(0, rows)), rng.uniform(0.2, 0.5) * span, rng.gauss(0, 0.35) * bend)
        for _ in range(3)
    ]
    turn, shear = rng.uniform(-0.3, 0.3) * bend, rng.gauss(0, 0.12) * bend
    shaken: dict[Cell, complex] = {
        (row, col): complex(rng.gauss(0, 0.05), rng.gauss(0, 0.05)) * bend
        for row in range(-1, rows + 2)
        for col in range(-1, cols + 2)
    }

    def warp(point: Point) -> Point:
        z = complex(*point)
        for centre, reach, height in bulges:
            away = z - centre
            z += away * height * exp(-(abs(away) ** 2) / (2 * reach**2))
        z += _between(shaken, point)
        away = z - middle
        z = (cmath.exp(whirl * away) - 1) / whirl if abs(whirl) > 1e-6 else away
        z *= cmath.rect(1, turn)
        return z.real + shear * z.imag, z.imag

    return warp


def _between(values: dict[Cell, complex], point: Point) -> complex:
    """Bilinear interpolation between corners of cells: sides bend where they meet, as those of sewn pieces do."""
    (x, y), total = point, 0j
    col, row = int(x // 1), int(y // 1)
    for dr in (0, 1):
        for dc in (0, 1):
            share = (1 - abs(x - col - dc)) * (1 - abs(y - row - dr))
            total += share * values.get((row + dr, col + dc), 0j)
    return total


def _side_points(warp: Warp, cell: Cell) -> list[Point]:
    """Along all four sides of a cell."""
    return _along(warp, [(cell[1] + dx, cell[0] + dy) for dx, dy in (*CORNERS, CORNERS[0])])


def _along(warp: Warp, corners: Iterable[Point]) -> list[Point]:
    """Points along straight sides in cells, closer together than a cell."""
    points, ends = [], list(corners)
    for (x0, y0), (x1, y1) in pairwise(ends):
        steps = max(1, round(STEPS * hypot(x1 - x0, y1 - y0)))
        points += [warp((x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps)) for k in range(steps)]
    return [*points, warp(ends[-1])]


# --- what lies on it --------------------------------------------------------------------------------------------------


def _draw(rng: Random, page: Page, to_page: Warp, puzzle: stitch.Stitch, found: list[Patch]) -> None:
    """Cloth, rope of the picture round the board, patches, threads, outline and numbers, in this order."""
    cells, side = set(puzzle.cells), page.side
    ground = (
        rng.uniform(0, 360),
        rng.uniform(5, 30),
        rng.uniform(10, 26) if rng.random() < 0.75 else rng.uniform(70, 88),
    )
    dark = ground[2] < 50
    hue, (defs, cloth) = rng.uniform(0, 360), _cloth(rng, ground, side)
    behind = f'<defs>{defs}</defs><rect width="100%" height="100%" fill="{cloth}"/>'
    for k in range(rng.randint(1, 3) if rng.random() < 0.4 else 0):
        defs, fill = _rope(rng, f"page{k}", hue + rng.gauss(0, 15), side)
        behind += f'<defs>{defs}</defs><path d="{_blob(rng, page)}" fill="{fill}"/>'
    outlines = "".join(f"{_path(_side_points(to_page, cell))}z" for cell in cells)
    page.svg(f'{behind}<path d="{outlines}" fill="{cloth}" stroke="{cloth}"/>', behind=True)
    spread = rng.choice([8.0, 25.0, 180.0])
    hues = {patch: hue + rng.uniform(-spread, spread) for patch in found}
    owner = {cell: patch for patch in found for cell in patch.block.cells}
    for k, patch in enumerate(found):
        (top, left), (bottom, right) = min(patch.block.cells), max(patch.block.cells)
        corners = [(left, top), (right + 1, top), (right + 1, bottom + 1), (left, bottom + 1), (left, top)]
        defs, fill = _rope(rng, f"patch{k}", hues[patch], side)
        page.svg(f'<defs>{defs}</defs><path d="{_path(_along(to_page, corners))}z" fill="{fill}"/>')
    grey = rng.uniform(55, 85) if dark else rng.uniform(25, 55)
    thread = hsl(ground[0], rng.uniform(0, 15), grey)
    width, dash = rng.uniform(0.015, 0.045) * side, rng.uniform(0.06, 0.2) * side
    gap = dash * rng.choice([0.0, rng.uniform(0.1, 0.3)])
    inner = [
        edge(cell, way)
        for cell in sorted(cells)
        for way in ((0, 1), (1, 0))
        if (other := beside(cell, way)) in cells
        and (owner.get(cell) is None or owner.get(cell) is not owner.get(other))
    ]
    _stroke(
        page, to_page, inner, f'stroke="{thread}" stroke-width="{width:.2f}" stroke-dasharray="{dash:.1f} {gap:.1f}"'
    )
    outer = [edge(cell, way) for cell in sorted(cells) for way in AROUND if beside(cell, way) not in cells]
    wide, stitches = rng.uniform(0.04, 0.08) * side, rng.uniform(0.12, 0.3) * side
    _stroke(page, to_page, outer, f'stroke="#000" stroke-opacity="0.5" stroke-width="{1.3 * wide:.2f}"')
    colour = hsl(rng.choice([8.0, rng.uniform(0, 360)]), rng.uniform(50, 90), 58 if dark else 45)
    dashes = f"{stitches:.1f} {0.25 * stitches:.1f}"
    cap = rng.choice(["butt", "round"])
    _stroke(
        page, to_page, outer,
        f'stroke="{colour}" stroke-width="{wide:.2f}" stroke-dasharray="{dashes}" stroke-linecap="{cap}"',
    )  # fmt: skip
    face, share = rng.choice(FACES), rng.uniform(0.3, 0.45)
    same = rng.random() < 0.3
    for clue in puzzle.clue_cells:
        done = clue in owner and owner[clue].clue == clue
        ink = hsl(hue + (0 if same else rng.uniform(-spread, spread)), 60, 62 if dark else 32)
        shadow = f"text-shadow:0 {0.02 * side:.1f}px {0.05 * side:.1f}px #000;" if done or rng.random() < 0.3 else ""
        x, y = to_page((clue[1] + 0.5, clue[0] + 0.5))
        css = f"{shadow}font:700 {share * side:.1f}px '{face}';color:{'#fff' if done else ink}"
        page.box(x - side / 2, y - side / 2, (side, side), css, str(puzzle.clue(clue)))


def _cloth(rng: Random, ground: tuple[float, float, float], side: float) -> tuple[str, str]:
    """The definition of a weave, and what fills with it: bundles of threads that cross, or one colour."""
    hue, saturation, light = ground
    base, lit = hsl(hue, saturation, light), hsl(hue, saturation, min(96, light * rng.uniform(1.15, 1.5)))
    if rng.random() < 0.25:
        return "", base
    strand = rng.uniform(0.08, 0.2) * side
    turn = rng.choice([0, 45, rng.uniform(0, 90)])
    lying = "".join(
        f'<rect x="{x * strand:.2f}" y="{(y + k / 3) * strand:.2f}" width="{0.92 * strand:.2f}"'
        f' height="{0.25 * strand:.2f}" rx="{0.1 * strand:.2f}" fill="{lit}"/>'
        for x, y in ((0, 0), (1, 1))
        for k in range(3)
    )
    upright = "".join(
        f'<rect x="{(x + k / 3) * strand:.2f}" y="{y * strand:.2f}" width="{0.25 * strand:.2f}"'
        f' height="{0.92 * strand:.2f}" rx="{0.1 * strand:.2f}" fill="{lit}" fill-opacity="0.7"/>'
        for x, y in ((1, 0), (0, 1))
        for k in range(3)
    )
    return _pattern("cloth", (2 * strand, 2 * strand), turn, base, lying + upright), "url(#cloth)"


def _rope(rng: Random, name: str, hue: float, side: float) -> tuple[str, str]:
    """The definition of ropes side by side, each of slanted strands, and what fills with it."""
    wide, slant = rng.uniform(0.12, 0.26) * side, rng.uniform(0.2, 0.6)
    saturation, light = rng.uniform(30, 90), rng.uniform(22, 62)
    base, lit, deep = (hsl(hue, saturation, level) for level in (light, min(90, 1.25 * light), 0.45 * light))
    strand = rng.uniform(0.35, 0.6) * wide
    strands = "".join(
        f'<path d="M0 {(k + slant) * strand:.2f}L{wide:.2f} {(k - slant) * strand:.2f}" stroke="{colour}"'
        f' stroke-width="{0.25 * strand:.2f}"/>'
        for k in range(-1, 4)
        for colour in (lit if k % 2 else deep,)
    )
    seam = f'<rect width="{0.14 * wide:.2f}" height="{2 * strand:.2f}" fill="{deep}"/>'
    turn = degrees(rng.uniform(0, tau))
    return _pattern(name, (wide, 2 * strand), turn, base, strands + seam), f"url(#{name})"


def _pattern(name: str, size_wh: tuple[float, float], turn: float, ground: str, drawn: str) -> str:
    """The definition of what repeats, turned by so many degrees."""
    sides = f'width="{size_wh[0]:.2f}" height="{size_wh[1]:.2f}" patternUnits="userSpaceOnUse"'
    filled = f'<rect width="100%" height="100%" fill="{ground}"/>{drawn}'
    return f'<pattern id="{name}" {sides} patternTransform="rotate({turn:.0f})">{filled}</pattern>'


def _blob(rng: Random, page: Page) -> str:
    """The path of a piece of the picture round the board."""
    width, height = page.size_wh
    x, y, reach = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.15, 0.5) * min(width, height)
    count = rng.randint(5, 9)
    around = [
        (
            x + reach * rng.uniform(0.6, 1.3) * cos(tau * k / count),
            y + 1.6 * reach * rng.uniform(0.6, 1.3) * sin(tau * k / count),
        )
        for k in range(count)
    ]
    return _path(around) + "z"


def _stroke(page: Page, to_page: Warp, ends: Iterable[tuple[Cell, Cell]], style: str) -> None:
    """Sides of cells, each begun anew."""
    paths = [_path(_along(to_page, [(c0, r0), (c1, r1)])) for (r0, c0), (r1, c1) in ends]
    page.svg(f'<path d="{"".join(paths)}" fill="none" {style}/>')


def _path(points: Iterable[Point]) -> str:
    """Data of an SVG path."""
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
