"""Drawn pictures with their truth, for tests, benchmarks and the README: ``python -m samples``.

Nothing of solvepic imports this package. A *look* is data or a small function, a board comes from the kind's maker,
a *screen* puts it among a phone's other things, and the *camera* photographs any of it. All of it is seeded: the same
generator state draws the same picture.
"""
