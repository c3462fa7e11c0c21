"""Damaged picture files: ``python -m benchmarks.damaged [--files N] [--seed S]``.

Pictures of every format are damaged in one of six ways (bits turned, bytes set, cut off, cut out, doubled, spliced with
another) and decoded in this process. Each must decode or be a
:class:`vision.pictures.loading.BadPictureError`, within two seconds; the peak of the process is printed.
"""

import argparse
import io
import resource
import time
from collections import Counter

import numpy as np
from PIL import Image

from vision.pictures.loading import BadPictureError, Limits, decode

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "AVIF", "BMP", "PPM", "HEIF")
MOST_SECONDS, MOST_MIB = 2.0, 1500.0


def main() -> None:
    """Print what became of the files; exit with 1 where one broke a bar."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    seeds = whole(rng)
    ended, slowest = Counter[str](), 0.0
    for number in range(asked.files):
        data = damaged(rng, seeds)
        began = time.perf_counter()
        try:
            decode(data, "file", Limits())
            ended["decoded"] += 1
        except BadPictureError:
            ended["refused"] += 1
        except Exception as error:
            ended["untyped"] += 1
            print(f"{number}: {error!r}", flush=True)
        slowest = max(slowest, time.perf_counter() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{asked.files} files: {dict(ended)}; slowest {slowest:.2f} s (bar: {MOST_SECONDS:.0f})")
    print(f"peak {peak:.0f} MiB (bar: {MOST_MIB:.0f})")
    raise SystemExit(1 if ended["untyped"] or slowest > MOST_SECONDS or peak > MOST_MIB else 0)


def whole(rng: np.random.Generator) -> list[bytes]:
    """Small pictures in each format, plain and of noise, in colour, grey and transparent."""
    import pillow_heif  # noqa: PLC0415  (it teaches Pillow the format)

    pillow_heif.register_heif_opener()
    noise = rng.integers(0, 256, (64, 96, 4), np.uint8)
    plain = np.full_like(noise, 200)
    files = []
    for pixels in (noise, plain):
        for form in FORMATS:
            for mode in ("RGB", "L") if form in ("JPEG", "PPM", "HEIF") else ("RGB", "L", "RGBA"):
                buffer = io.BytesIO()
                Image.fromarray(pixels).convert(mode).save(buffer, form)
                files.append(buffer.getvalue())
    return files


def damaged(rng: np.random.Generator, seeds: list[bytes]) -> bytes:
    """One of the files, damaged."""
    data = np.frombuffer(seeds[rng.integers(len(seeds))], np.uint8).copy()
    start, stop = sorted(int(at) for at in rng.integers(0, len(data) + 1, 2))
    match int(rng.integers(6)):
        case 0:
            at = rng.integers(0, len(data), int(rng.integers(1, 20)))
            data[at] ^= (1 << rng.integers(0, 8, len(at))).astype(np.uint8)
        case 1:
            at = rng.integers(0, min(64, len(data)), int(rng.integers(1, 6)))
            data[at] = rng.choice(np.array([0, 1, 127, 128, 255], np.uint8), len(at))
        case 2:
            data = data[:stop]
        case 3:
            data = np.delete(data, slice(start, stop))
        case 4:
            data = np.concatenate([data[:stop], data[start:]])
        case _:
            other = np.frombuffer(seeds[rng.integers(len(seeds))], np.uint8)
            data = np.concatenate([data[:start], other[start:]])
    return data.tobytes()


if __name__ == "__main__":
    main()
