"""Kanoodle and IQ Puzzler: fill the 5 x 11 board with twelve pieces of balls, some of which lie there already.

Everything is in :mod:`solvers.balls`; here is the board.
"""

from solvers.ball_trays import Tray
from solvers.balls import BallRules
from solvers.board import grid_layout

TRAY = Tray("5 x 11 board", (11,) * 5, grid_layout(5, 11))

RULES = BallRules(TRAY)

parse, write, put = RULES.parse, RULES.write, RULES.put
word, choices = RULES.word, RULES.choices
title, layout = RULES.title, RULES.layout
faults, explain = RULES.faults, RULES.explain
answers, count, holds = RULES.answers, RULES.count, RULES.holds
contents, marks, rehearse = RULES.contents, RULES.marks, RULES.rehearse
given = RULES.given
puzzle_record, answer_record = RULES.puzzle_record, RULES.answer_record
