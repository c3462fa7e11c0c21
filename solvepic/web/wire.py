"""Messages between the server and its workers: a JSON object and bytes.

Not pickles: whoever takes a worker over with a hostile picture must not be able to run code in the server.
"""

import json
from typing import Any

Head = dict[str, Any]


def packed(head: Head, body: bytes = b"") -> bytes:
    """One message."""
    return json.dumps(head).encode() + b"\n" + body


def unpacked(message: bytes) -> tuple[Head, bytes]:
    """The object and the bytes of a message."""
    head, _, body = message.partition(b"\n")
    return json.loads(head), body
