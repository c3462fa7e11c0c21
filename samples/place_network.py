"""Fully convolutional networks that tell something of each place of a lattice, in PyTorch."""

from collections.abc import Sequence

from torch import Tensor, nn

STEM = (24, 32, 48)
"""Channels at a quarter of a place, and at half of one."""


def _reduced(before: int, after: int, times: int) -> nn.Module:
    """A convolution that leaves every so many-th pixel, its kernel centred on those that it stands for."""
    around = -(-times // 4)
    return nn.Sequential(nn.Conv2d(before, after, times + 2 * around, times, around), nn.BatchNorm2d(after), nn.ReLU())


def _same(before: int, after: int, dilation: int = 1) -> nn.Module:
    convolution = nn.Conv2d(before, after, 3, 1, dilation, dilation=dilation)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


class PlaceNetwork(nn.Module):  # type: ignore[misc]  # (Any where PyTorch is skipped)
    """Reduced to a pixel a place, then residual convolutions over places."""

    def __init__(self, seen: int, side_px: int, channels: int, dilations: Sequence[int], told: int) -> None:
        """With random weights.

        Args:
            seen: channels of a picture.
            side_px: side of a place in it, a multiple of 4.
            channels: of the convolutions over places.
            dilations: of each of these.
            told: numbers that are told of a place.
        """
        super().__init__()
        first, second, third = STEM
        self.stem = nn.Sequential(
            _reduced(seen, first, side_px // 4), _same(first, second),
            _reduced(second, third, 2), _same(third, third), _reduced(third, channels, 2),
        )  # fmt: skip
        self.mid = nn.ModuleList(_same(channels, channels, dilation) for dilation in dilations)
        self.out = nn.Conv2d(channels, told, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """What is told ``(N, told, rows, cols)`` of pictures ``(N, seen, rows * side_px, cols * side_px)``."""
        seen = self.stem(seen)
        for layer in self.mid:
            seen = seen + layer(seen)
        told: Tensor = self.out(seen)
        return told
