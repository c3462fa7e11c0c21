"""Places of a lattice that look alike, as clusters of their colours and of how much these vary within a place.

Single-linkage clustering (Sibson, *SLINK*, The Computer Journal 16, 1973): two places are linked where their colours
are nearer to each other's than a distance, and what is linked, through others too, is a cluster. So a colour that fades
over a board is one cluster. Of all distances, only those at which clusters stand well apart matter.
"""

import numpy as np
import numpy.typing as npt

from vision.boards.states import SIDE_PX, Bools
from vision.pictures.flatten import cut_into_cells, flatten
from vision.pictures.lab import lab
from vision.pictures.medians import medians
from vision.pictures.photo import Photo
from vision.pictures.placement import Placement

RIM_PX = SIDE_PX // 6
"""What of a flat place belongs to lines."""

APART = 2.0
"""How many times further from the others than its own places from each other a cluster is at least."""

SAME = 0.4
"""CIELAB distance that the rounding of colours to eight bits makes."""


def alike_places(photo: Photo, placement: Placement, among: Bools) -> list[Bools]:
    """Clusters of two places or more that look alike, each ``bool (rows, cols)``; clusters may hold others.

    Args:
        photo: the picture.
        placement: the lattice.
        among: ``bool (rows, cols)``: the places that are compared.
    """
    if not among.any():
        return []
    places = cut_into_cells(flatten(photo, placement, SIDE_PX), SIDE_PX)[among]
    inner = places[:, RIM_PX:-RIM_PX, RIM_PX:-RIM_PX].reshape(len(places), (SIDE_PX - 2 * RIM_PX) ** 2, 3)
    colours = lab(inner)
    middle = medians(colours, 1)
    spread = np.linalg.norm(colours - middle[:, None], axis=2).mean(axis=1)
    features = np.column_stack([middle, spread])
    found = []
    for members in _clusters(np.linalg.norm(features[:, None] - features[None], axis=2)):
        mask = np.zeros_like(among)
        mask[among] = members
        found.append(mask)
    return found


def _clusters(distances: npt.NDArray[np.floating]) -> list[Bools]:
    """The clusters that stand well apart, each ``bool (N,)``."""
    members = list(np.eye(len(distances), dtype=bool))
    within = [0.0] * len(members)
    found = []
    for distance, one, other in _spanning_tree(distances):
        pair = [next(k for k, some in enumerate(members) if some[place]) for place in (one, other)]
        for k in sorted(pair, reverse=True):
            cluster, widest = members.pop(k), within.pop(k)
            if cluster.sum() > 1 and distance >= APART * max(widest, SAME):
                found.append(cluster)
            members.append(cluster)
            within.append(widest)
        members[-2:], within[-2:] = [members[-2] | members[-1]], [distance]
    return found


def _spanning_tree(distances: npt.NDArray[np.floating]) -> list[tuple[float, int, int]]:
    """The edges of the minimum spanning tree (Prim's algorithm), the shortest first."""
    nearest, link = distances[0].copy(), np.zeros(len(distances), np.intp)
    nearest[0] = np.inf
    outside = np.ones(len(distances), bool)
    outside[0] = False
    edges = []
    while outside.any():
        new = int(np.where(outside, nearest, np.inf).argmin())
        edges.append((float(nearest[new]), int(link[new]), new))
        outside[new] = False
        closer = distances[new] < nearest
        nearest[closer], link[closer] = distances[new][closer], new
    return sorted(edges)
