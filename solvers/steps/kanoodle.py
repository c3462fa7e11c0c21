"""Steps on Kanoodle's board of 5 x 11; everything is in :mod:`solvers.steps.balls`."""

from solvers.kanoodle import RULES as TRAY_RULES
from solvers.steps.balls import RULES, BallSteps

__all__ = ["RULES", "begun", "completions", "placings", "steps"]

STEPS = BallSteps(TRAY_RULES)

begun, placings, completions, steps = STEPS.begun, STEPS.placings, STEPS.completions, STEPS.steps
