"""Pictures in other light, in other colours, out of focus and with noise, many at a time: what a network is shown of
each drawn window differs from step to step.

All is computed with PyTorch where the network is fitted.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from vision.network import CONTRAST

REACH_PX = 4
"""How far a pixel spreads that is out of focus."""


class Spoiler:
    """Chance for a batch of pictures ``float32 (N, 3, H, W)``, BGR, 0..255."""

    def __init__(self, rng: torch.Generator, count: int) -> None:
        """So many pictures; ``rng`` decides everything, on its device."""
        self.rng, self.count = rng, count

    def chance(self, share: float) -> Tensor:
        """Which pictures are among this share, ``bool (N, 1, 1, 1)``."""
        return self._even(1) < share

    def between(self, least: float, most: float) -> Tensor:
        """An even number for each picture, ``(N, 1, 1, 1)``."""
        return least + (most - least) * self._even(1)

    def normal(self, spread: float, channels: int = 1) -> Tensor:
        """Normal numbers for each picture, ``(N, channels, 1, 1)``."""
        shape = self.count, channels, 1, 1
        return spread * torch.randn(shape, generator=self.rng, device=self.rng.device)

    def light(self, inverted: float = 0.0) -> Callable[[Tensor], Tensor]:
        """Another light and other colours, of ``(N, 3, ...)``; this share of the pictures is turned to its negative."""
        dim = torch.where(self.chance(0.6), self.between(0.3, 1.15), 1.0)
        veil = torch.where(self.chance(0.25), self.between(0, 80), 0.0)
        tint = torch.exp(self.normal(0.1, 3))
        gamma = torch.where(self.chance(0.5), torch.exp(self.normal(0.2)), 1.0)
        negative = self.chance(inverted)
        plain = torch.arange(3, device=self.rng.device)[None, :, None, None]
        order = torch.where(self.chance(0.15), torch.argsort(self._even(3), 1), plain)

        def lit(colours: Tensor) -> Tensor:
            colours = torch.gather(colours, 1, order.expand_as(colours))
            colours = torch.where(negative, 255 - colours, colours) * dim * tint + veil
            return 255 * torch.clamp(colours / 255, 0, 1.05) ** gamma

        return lit

    def sloped(self, seen: Tensor) -> Tensor:
        """Some of the pictures with a slope of light over them."""
        slopes = torch.where(self.chance(0.4), self.normal(0.2, 2), 0.0)
        down, across = (torch.linspace(-0.5, 0.5, side, device=seen.device) for side in seen.shape[2:])
        return seen * (1 + slopes[:, :1] * across + slopes[:, 1:] * down[:, None])

    def blurred(self, seen: Tensor, share: float, most_px: float) -> Tensor:
        """This share of the pictures out of focus, by a Gaussian of up to ``most_px``."""
        sigma = torch.where(self.chance(share), self.between(0.3, most_px), 1e-3)
        away = torch.arange(-REACH_PX, REACH_PX + 1, device=seen.device, dtype=seen.dtype)
        kernel = torch.exp(-0.5 * (away / sigma[:, 0]) ** 2)
        kernel = (kernel / kernel.sum(-1, keepdim=True)).repeat_interleave(3, 0)[:, None]
        layers = functional.pad(seen.reshape(1, -1, *seen.shape[2:]), [REACH_PX] * 4, mode="replicate")
        layers = functional.conv2d(layers, kernel.transpose(2, 3), groups=3 * self.count)
        return functional.conv2d(layers, kernel, groups=3 * self.count).reshape_as(seen)

    def noisy(self, seen: Tensor, most: float) -> Tensor:
        """Half of the pictures with noise of up to ``most`` grey levels, as whole numbers 0..255."""
        spread = torch.where(self.chance(0.5), self.between(0, most), 0.0)
        noise = torch.randn(seen.shape, generator=self.rng, device=seen.device)
        return torch.clamp(seen + spread * noise, 0, 255).floor()

    def _even(self, channels: int) -> Tensor:
        return torch.rand(self.count, channels, 1, 1, generator=self.rng, device=self.rng.device)


def contrasts(seen: Tensor, ground: Tensor) -> Tensor:
    """:func:`vision.network.contrasts` of pictures ``(N, 3, H, W)`` to colours ``(N, 3, 1, 1)``."""
    return torch.asinh((seen - ground) / CONTRAST) / 2
