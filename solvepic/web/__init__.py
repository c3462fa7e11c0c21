"""The phone page: ``solvepic serve``.

    serve ─ options, address, QR code, uvicorn
      └─ guard ─ who may ask, and how much: hosts, origins, the token, sizes, rates, headers
           └─ app ─ routes
                ├─ strings, static/ ─ the page and its words
                ├─ sessions ─ which worker holds which picture, and for how long
                └─ workers ─ processes that are asked, and ended where they hang
                     └─ reader ─ in such a process: pictures in, records and pictures out

``limits`` says what a picture may cost, to the workers and in them; ``wire`` is what they say to each other.

Pictures are decoded in the workers alone; the server's own process loads no OpenCV. Nothing is written to disk. Nobody
imports this package but the command ``serve``; what it needs is the extra ``solvepic[web]``.
"""
