"""Measurements, never tests: each prints ratios of one run against named peers."""
