"""Labels on balls: only where colours are close, only on what is drawn."""

from overlay.inks import Inks
from overlay.labels import labels
from solvers.ball_colours import COLOURS
from solvers.marks import Ball, Ink, Text

BLUE, PURPLE, YELLOW = (COLOURS["standard"][letter] for letter in "CJI")


def ball(row, rgb, label):
    return Ball(((row, 0), (row, 1)), Ink(rgb=rgb), label)


def written(marks, seen=None):
    return [(text.cell, text.text) for text in labels(marks, Inks(), seen or {})]


def test_pieces_of_close_colours_carry_their_labels_and_others_none():
    marks = [ball(0, BLUE, "C"), ball(1, PURPLE, "J"), ball(2, YELLOW, "I")]
    assert written(marks) == [((0, 0), "C"), ((0, 1), "C"), ((1, 0), "J"), ((1, 1), "J")]


def test_a_ball_that_the_picture_shows_counts_and_is_left_alone():
    assert written([ball(0, YELLOW, "I")], {(5, 5): YELLOW}) == [((0, 0), "I"), ((0, 1), "I")]
    assert written([ball(0, YELLOW, "I")], {(5, 5): BLUE}) == []


def test_the_ball_that_a_piece_takes_its_colour_from_is_its_own():
    assert written([ball(0, YELLOW, "I")], {(0, 1): YELLOW}) == []


def test_what_has_no_label_gets_none():
    assert written([ball(0, BLUE, ""), ball(1, BLUE, ""), Text((3, 3), "7")]) == []
