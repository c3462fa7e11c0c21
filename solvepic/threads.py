"""How many threads libraries start: NumPy and Tesseract read it from the environment when they are loaded."""

import os


def ask_for_one_each() -> None:
    """Ask for one thread each, unless the user said otherwise; for this process and for those that it starts.

    Our matrices are small: threads cost more than they bring, and starve the other workers of a batch.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")


def share_processors(processes: int) -> None:
    """Give OpenCV in this process its share of the processors, where so many processes read pictures at once.

    Its default is a thread a processor in each: one costly picture then slows down those of the other processes.
    """
    import cv2  # noqa: PLC0415  (only in the processes that read pictures)
    from loky import cpu_count  # noqa: PLC0415  (it knows what a container may use; a single picture needs none)

    cv2.setNumThreads(max(1, int(cpu_count()) // processes))
