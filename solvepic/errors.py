"""What a caller can do wrong; solvepic/sentences.py and solvepic/command.py turn it into words and an exit status."""


class UsageError(ValueError):
    """What is asked for cannot be; the message is a sentence for people."""


class OptionError(UsageError):
    """An option cannot be heeded, as such or for the picture at hand."""
