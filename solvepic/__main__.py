"""``python -m solvepic``."""

from solvepic.launch import main

if __name__ == "__main__":
    main()
