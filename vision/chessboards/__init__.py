"""Chequered boards, and what stands on their squares."""
