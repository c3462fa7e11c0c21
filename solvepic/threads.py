"""How many threads NumPy and Tesseract start, which they read from the environment when they are loaded."""

import os


def ask_for_one_each() -> None:
    """Ask for one thread each, unless the user said otherwise; for this process and for those that it starts.

    Our matrices are small: threads cost more than they bring, and starve the other workers of a batch.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
