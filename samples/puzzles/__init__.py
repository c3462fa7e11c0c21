"""Puzzles made at random with a known answer, for tests, benchmarks and drawn pictures."""
