"""The colours that makers give the pieces of ball boards, by set and letter: red, green, blue.

Readers know pieces by them where shapes leave a question open, and missing balls are drawn in them. They are those of
photos and of the makers' booklets.
"""

Rgb = tuple[int, int, int]

COLOURS: dict[str, dict[str, Rgb]] = {
    "standard": {
        "A": (245, 130, 40),
        "B": (210, 20, 30),
        "C": (10, 60, 170),
        "D": (245, 190, 190),
        "E": (0, 110, 60),
        "F": (240, 240, 235),
        "G": (90, 190, 220),
        "H": (200, 30, 110),
        "I": (250, 220, 40),
        "J": (90, 30, 130),
        "K": (130, 220, 120),
        "L": (150, 155, 165),
    },
    "iq": {
        "A": (30, 50, 140),
        "B": (125, 205, 190),
        "C": (230, 30, 40),
        "D": (255, 220, 0),
        "E": (235, 110, 170),
        "F": (140, 210, 245),
        "G": (0, 160, 230),
        "H": (125, 40, 140),
        "I": (140, 195, 50),
        "J": (0, 150, 90),
        "K": (175, 35, 45),
        "L": (245, 145, 30),
    },
}
