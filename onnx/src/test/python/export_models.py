"""Writes the models of the tests, small graphs of PyTorch in ONNX's format, each with inputs and outputs as .npy files.

Run with PyTorch and onnx installed: python export_models.py ../resources/models
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.one = nn.Linear(width, width)
        self.two = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(x + self.two(torch.relu(self.one(x))))


class Encoder(nn.Module):
    """Embeddings and two transformer layers, pooled: a sentence encoder in small."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 24)
        self.places = nn.Embedding(16, 24)
        layer = nn.TransformerEncoderLayer(24, 4, 48, batch_first=True, activation="gelu")
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, ids):
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.layers(self.words(ids) + self.places(places))
        return hidden.mean(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.out = nn.Linear(16, 16)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(c, 2)
        q, k, v = (each.view(b, t, 2, c // 2).transpose(1, 2) for each in (q, k, v))
        scores = q @ k.transpose(-2, -1) / (c // 2) ** 0.5
        mask = torch.ones(t, t).tril().bool()
        scores = scores.masked_fill(~mask, -1e9)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))


class Unet(nn.Module):
    """What is made early is read late, so that it crosses every cut."""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, padding=1)
        self.b = nn.Conv2d(8, 12, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(12, 8, 2, stride=2)
        self.c = nn.Conv2d(16, 3, 1)

    def forward(self, x):
        a = torch.relu(self.a(x))
        b = torch.relu(self.b(a))
        return self.c(torch.cat([a, self.up(b)], 1)).sigmoid()


class TwoOutputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(12, 20)
        self.left = nn.Linear(20, 4)
        self.right = nn.Linear(20, 1)

    def forward(self, x, scale):
        hidden = torch.tanh(self.trunk(x)) * scale
        return self.left(hidden), self.right(hidden + x.sum(1, keepdim=True))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 10, batch_first=True)
        self.gru = nn.GRU(10, 8, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.gru(self.lstm(x)[0])[0][:, -1])


class Shapes(nn.Module):
    """Reshapes by sizes that are computed."""

    def forward(self, x):
        b, c, h, w = x.shape
        y = x.reshape(b, c, h // 2, 2, w // 2, 2).permute(0, 1, 3, 5, 2, 4).reshape(b, c * 4, h // 2, w // 2)
        top = y.topk(3, dim=1).values
        return torch.nn.functional.pad(top, (1, 1, 0, 0)).cumsum(2) + y[:, :3].amax((2, 3), keepdim=True)


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Sequential(nn.Linear(9, 16), nn.GELU(), nn.Linear(16, 9))
        self.channels = nn.Sequential(nn.Linear(10, 20), nn.SiLU(), nn.Linear(20, 10))

    def forward(self, x):
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
        return x + self.channels(x)


def convolutional():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, groups=2),
        nn.Hardswish(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 5),
        nn.LogSoftmax(1),
    )


def floats(*sizes):
    return torch.randn(*sizes)


MODELS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 4)), (floats(3, 10),)),
    "residual": (lambda: nn.Sequential(Residual(24), Residual(24), Residual(24)), (floats(4, 24),)),
    "encoder": (Encoder, (torch.randint(0, 50, (2, 7)),)),
    "attention": (Attention, (floats(2, 5, 16),)),
    "convolutional": (convolutional, (floats(2, 3, 12, 12),)),
    "unet": (Unet, (floats(1, 3, 8, 8),)),
    "two_outputs": (TwoOutputs, (floats(3, 12), floats(3, 1))),
    "recurrent": (Recurrent, (floats(2, 6, 6),)),
    "shapes": (Shapes, (floats(2, 3, 8, 6),)),
    "mixer": (Mixer, (floats(2, 9, 10),)),
    "instance_norm": (
        lambda: nn.Sequential(nn.Conv1d(4, 6, 3), nn.InstanceNorm1d(6, affine=True), nn.LeakyReLU(), nn.ConvTranspose1d(6, 2, 3)),
        (floats(2, 4, 11),),
    ),
    "group_norm": (
        lambda: nn.Sequential(nn.Conv2d(3, 8, 1), nn.GroupNorm(4, 8), nn.ELU(), nn.AvgPool2d(2), nn.PixelShuffle(2)),
        (floats(2, 3, 6, 6),),
    ),
}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (make, inputs) in MODELS.items():
        torch.manual_seed(len(name))
        model = make().eval()
        names = [f"in{place}" for place in range(len(inputs))]
        with torch.no_grad():
            outputs = model(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        out_names = [f"out{place}" for place in range(len(outputs))]
        torch.onnx.export(
            model,
            inputs,
            str(folder / f"{name}.onnx"),
            input_names=names,
            output_names=out_names,
            dynamic_axes={each: {0: "batch"} for each in names} if name not in ("recurrent", "shapes") else None,
            opset_version=17,
            dynamo=False,
        )
        for each, tensor in zip(names + out_names, tuple(inputs) + tuple(outputs)):
            np.save(folder / f"{name}.{each}.npy", tensor.numpy())


if __name__ == "__main__":
    torch.manual_seed(0)
    main(Path(sys.argv[1]))
