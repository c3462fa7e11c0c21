"""The way of every picture: bytes become pixels, pixels get a place on a board, boards are laid flat."""
