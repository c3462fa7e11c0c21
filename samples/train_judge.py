"""Train the judge of digits (:mod:`vision.numbers.judge`): ``python -m samples.train_judge FOLDER_OF_FACES...``.

The examples are those of :mod:`samples.judge_examples`. Every seventh face is kept for the test, and with it every
seventh of the shapes that are no digits; the weights that are written are then trained on all.

The weights in the project come from these functions, drawn part by part: 111,783 examples in 714 free faces of Debian's
packages, of which the last eighth of each part was kept for the test and not trained on. On the boards among those
98.3 % of the digits and 97.7 % of the other shapes were right, and 99.9 % of what it was sure of; no other shape looked
like a digit for sure (3 % did to the judge before, which had seen none of those that numbers leave beside themselves).
"""

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from samples import judge_examples, training
from samples.judge_examples import Example
from vision.network import Floats, probabilities
from vision.numbers.judge import HEIGHT, NO_DIGIT, WEIGHTS, WIDTH

HIDDEN = 192
EPOCHS = 36
KEPT_FOR_TEST = 7
"""Every so many-th face is kept for the test."""


def examples(rng: np.random.Generator, files: list[Path], share: float) -> Iterator[Example]:
    """All examples; ``share`` of what the weights in the project were trained on, for a trial."""
    return chain(
        judge_examples.shapes(rng, files, round(50_000 * share)),
        judge_examples.cells(rng, files, round(1_200 * share)),
        judge_examples.boards(rng, files, round(120 * share)),
        judge_examples.marks(rng, round(36 * share)),
    )


def varied(seen: Floats, rng: np.random.Generator) -> Floats:
    """The same shapes a pixel to the side, bolder or thinner, with noise."""
    field = np.roll(seen[:, :-1].reshape(-1, HEIGHT, WIDTH), rng.integers(-1, 2, 2), axis=(1, 2))
    bolder = field ** rng.uniform(0.7, 1.4, (len(field), 1, 1)).astype(np.float32)
    noisy = np.clip(bolder + 0.03 * rng.standard_normal(bolder.shape, np.float32), 0, 1).reshape(len(field), -1)
    return np.column_stack([noisy, seen[:, -1]])


def main() -> None:
    """Draw, train, test, write."""
    parser = argparse.ArgumentParser(prog="python -m samples.train_judge", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, help="where faces (ttf, otf) are looked for")
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of examples")
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    files = judge_examples.faces(asked.folders)
    fields, labels, of_faces = zip(*examples(rng, files, asked.share), strict=True)
    seen, truth, face = np.stack(fields), np.array(labels), np.array(of_faces)
    none = truth == NO_DIGIT
    kept = np.where(none, np.arange(len(truth)), face) % KEPT_FOR_TEST == 3
    tried = training.train(seen[~kept], truth[~kept], HIDDEN, rng, epochs=EPOCHS, varied=varied)
    print(f"{len(truth)} examples, {none.sum()} of them no digits, {len(files)} faces")
    for name, part in (("digits", kept & ~none), ("no digits", kept & none)):
        print(f"kept {name}: {training.told(probabilities(seen[part], tried), truth[part])}")
    training.write(asked.output, training.train(seen, truth, HIDDEN, rng, epochs=EPOCHS, varied=varied))


if __name__ == "__main__":
    main()
