"""Ruled boards on screens and in photos: their sides, their pitch, their number of rows and columns."""
