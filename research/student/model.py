"""The student's networks: those of `hibari-tts` 0.2.1 (Apache-2.0), conditioned on a style.

Shapes: B utterances, N tokens, T frames of 12.5 ms.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .sound import BINS

SYMBOLS = 178
# The style size of the teacher's decoder and generator together, 128 numbers each.
STYLE = 256
# The style size of its prosody.
PROSODY_STYLE = 128
# The time steps between the taps of the prosody's blocks.
_DILATIONS = (1, 2, 4, 8, 1, 2)
_EPSILON = 1e-5


def _gelu(x: Tensor) -> Tensor:
    """GELU as the library's kernels compute it."""
    return F.gelu(x, approximate="tanh")


class ConvolutionBlock(nn.Module):
    """ConvNeXt: a depthwise convolution, layer normalization and two linear layers, added to the input (Liu et al.
    2022).

    With a style, the normalized values are scaled and shifted by linear functions of it (Perez et al. 2018), initially
    1 and 0.
    """

    def __init__(self, width: int, inner: int, taps: int, dilation: int = 1, style: int = 0) -> None:
        super().__init__()
        padding = dilation * (taps // 2)
        self.dw = nn.Conv1d(width, width, taps, padding=padding, dilation=dilation, groups=width)
        self.norm = nn.LayerNorm(width, eps=_EPSILON)
        self.pw1, self.pw2 = nn.Linear(width, inner), nn.Linear(inner, width)
        self.gamma = nn.Parameter(torch.ones(width))
        self.film = nn.Linear(style, 2 * width) if style else None
        if self.film:
            nn.init.zeros_(self.film.weight)
            nn.init.zeros_(self.film.bias)

    def forward(self, x: Tensor, style: Tensor | None = None) -> Tensor:
        """Maps B x width x T to the same shape; the style is B x STYLE."""
        y = self.norm(self.dw(x).transpose(1, 2))
        if self.film:
            scale, shift = self.film(style)[:, None].chunk(2, -1)
            y = y * (1 + scale) + shift
        return x + (self.gamma * self.pw2(_gelu(self.pw1(y)))).transpose(1, 2)


class Attention(nn.Module):
    """A two-head transformer layer that normalizes first (Xiong et al. 2020)."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=_EPSILON), nn.LayerNorm(width, eps=_EPSILON)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.linear1, self.linear2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Maps B x N x width to the same shape; the mask, B x N, is false after the end of an utterance."""
        size, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(size, tokens, 3, 2, width // 2).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, mask[:, None, None])
        x = x + self.out(y.transpose(1, 2).reshape(x.shape))
        return x + self.linear2(_gelu(self.linear1(self.norm2(x))))


class TextEncoder(nn.Module):
    """Two convolution blocks, and one transformer layer that is applied several times."""

    def __init__(self, width: int, passes: int) -> None:
        super().__init__()
        self.emb = nn.Embedding(SYMBOLS, width)
        self.convs = nn.ModuleList(ConvolutionBlock(width, 2 * width, 5) for _ in range(2))
        self.attn, self.passes = Attention(width, 2 * width), passes
        self.norm = nn.LayerNorm(width, eps=_EPSILON)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Maps B x N tokens to B x width x N."""
        weight = mask[:, None].float()
        x = self.emb(tokens).transpose(1, 2) * weight
        for block in self.convs:
            x = block(x) * weight
        x = x.transpose(1, 2)
        for _ in range(self.passes):
            x = self.attn(x, mask)
        return self.norm(x).transpose(1, 2)


class Decoder(nn.Module):
    """Tokens, pitch and energy to the spectra of speech: see `sound.spectrum`."""

    def __init__(self, width: int = 256, inner: int = 768, blocks: int = 8) -> None:
        super().__init__()
        self.text = TextEncoder(128, 4)
        self.dec_in = nn.Conv1d(130, width, 7, padding=3)
        self.dec = nn.ModuleList(ConvolutionBlock(width, inner, 7, style=STYLE) for _ in range(blocks))
        self.dec_norm = nn.LayerNorm(width, eps=_EPSILON)
        self.head = nn.Linear(width, 5 * BINS)

    def forward(
        self, tokens: Tensor, mask: Tensor, index: Tensor, pitch: Tensor, energy: Tensor, style: Tensor
    ) -> tuple[Tensor, ...]:
        """The spectra of frames: B x BINS x T each.

        Parameters
        ----------
        tokens, mask : B x N
        index : B x T
            The token that is heard in each frame.
        pitch : B x T
            In hertz, 0 where there is none.
        energy : B x T
            As the teacher has it.
        style : B x STYLE
        """
        text = self.text(tokens, mask)
        text = torch.gather(text, 2, index[:, None].expand(-1, text.shape[1], -1))
        x = torch.cat([text, torch.log1p(F.relu(pitch))[:, None] / 5, energy[:, None] / 5], 1)
        x = self.dec_in(x)
        for block in self.dec:
            x = block(x, style)
        return self.head(self.dec_norm(x.transpose(1, 2))).transpose(1, 2).split(BINS, 1)


class Prosody(nn.Module):
    """Tokens to durations, pitch and energy. A frame is 25 ms, and has two values of pitch and of energy."""

    def __init__(self, width: int = 192) -> None:
        super().__init__()
        self.text = TextEncoder(width, 6)
        # Added to the text, initially 0.
        self.style = nn.Linear(PROSODY_STYLE, width)
        nn.init.zeros_(self.style.weight)
        nn.init.zeros_(self.style.bias)
        self.dur = nn.ModuleList([nn.Conv1d(width, width, 3, padding=1), nn.Conv1d(width, 1, 1)])
        self.pro_in, self.pro_out = nn.Conv1d(width, width, 1), nn.Conv1d(width, 4, 1)
        blocks = (ConvolutionBlock(width, 2 * width, 7, dilation, PROSODY_STYLE) for dilation in _DILATIONS)
        self.pro = nn.ModuleList(blocks)

    def encoded(self, tokens: Tensor, mask: Tensor, style: Tensor) -> Tensor:
        """B x width x N, from tokens and a mask of B x N and a style of B x PROSODY_STYLE."""
        return (self.text(tokens, mask) + self.style(style)[:, :, None]) * mask[:, None]

    def durations(self, text: Tensor) -> Tensor:
        """The logarithm of the frames of each token plus one, B x N, from the encoded text."""
        return self.dur[1](_gelu(self.dur[0](text)))[:, 0]

    def curves(self, text: Tensor, index: Tensor, mask: Tensor, style: Tensor) -> tuple[Tensor, Tensor]:
        """The pitch in hertz and the energy, B x 2 F each.

        Parameters
        ----------
        text : B x width x N
            As `encoded` gives it.
        index, mask : B x F
            The token that is heard in each frame; the mask is false after the end of an utterance.
        style : B x PROSODY_STYLE
        """
        weight = mask[:, None].float()
        x = self.pro_in(torch.gather(text, 2, index[:, None].expand(-1, text.shape[1], -1))) * weight
        for block in self.pro:
            x = block(x, style) * weight
        pitch, energy = self.pro_out(x).unflatten(1, (2, 2)).transpose(2, 3).flatten(2).unbind(1)
        return 100 * pitch, 5 * energy
