"""Boards and pictures made at random with a known answer. Nothing but tests and benchmarks imports this."""
