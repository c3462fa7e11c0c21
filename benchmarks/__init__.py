"""Measurements, never tests: each prints ratios of one run against named peers."""

from solvepic.threads import ask_for_one_each

# As the command does, before NumPy is loaded: else threads that wait for each other count as processor time.
ask_for_one_each()
