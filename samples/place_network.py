"""A fully convolutional network of the places of a lattice, in PyTorch."""

from torch import Tensor, nn

DILATIONS = (1, 2, 4, 8, 4, 2, 1) * 2
"""Of the convolutions over places: each place knows of those around it up to the window's other end, and of theirs."""

CHANNELS = 128
"""Of these convolutions."""


def _reduced(before: int, after: int, times: int) -> nn.Module:
    """A convolution that leaves every so many-th pixel, its kernel centred on those that it stands for."""
    return nn.Sequential(nn.Conv2d(before, after, times + 2, times, 1), nn.BatchNorm2d(after), nn.ReLU())


def _same(before: int, after: int, dilation: int = 1) -> nn.Module:
    convolution = nn.Conv2d(before, after, 3, 1, dilation, dilation=dilation)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


class PlaceNetwork(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """Reduced to a pixel a place, of 24 pixels a side, then residual convolutions over places."""

    def __init__(self, told: int) -> None:
        """With random weights; it tells so many numbers of each place."""
        super().__init__()
        self.stem = nn.Sequential(
            _reduced(4, 32, 3), _reduced(32, 64, 2), _same(64, 64), _same(64, 64), _reduced(64, CHANNELS, 4)
        )
        self.mid = nn.ModuleList(_same(CHANNELS, CHANNELS, dilation) for dilation in DILATIONS)
        self.out = nn.Conv2d(CHANNELS, told, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """Log odds ``(N, told, rows, cols)`` of windows ``(N, 4, 24 * rows, 24 * cols)``."""
        seen = self.stem(seen)
        for layer in self.mid:
            seen = seen + layer(seen)
        odds: Tensor = self.out(seen)
        return odds
