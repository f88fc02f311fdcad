"""The parts of Outpost's library that the programs need: the digits, the order of shuffled data, java.util.Random, and the file of metrics.
So the programs of this folder see the same data and the same random numbers as those in Java, and their losses can be compared."""
import csv
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch.utils.data import Sampler

ROOT = Path(__file__).resolve().parents[2]
MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(bits):
    """The finalizer of SplitMix64."""
    bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & MASK
    return bits ^ bits >> 31


def permutation(size, seed):
    """The same permutation as dev.outpost.data.Permutation: the algorithm of Fisher and Yates with SplitMix64."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        seed = (seed + GAMMA) & MASK
        chosen = mix(seed) * (last + 1) >> 64
        order[last], order[chosen] = order[chosen], order[last]
    return order


class Shuffle(Sampler):
    """The order of DataLoader.shuffle in Java, which is different in each epoch."""

    def __init__(self, size, seed):
        self.size, self.seed, self.epoch = size, seed, 0

    def __len__(self):
        return self.size

    def __iter__(self):
        number = (mix((self.seed + GAMMA) & MASK) + self.epoch * GAMMA) & MASK
        self.epoch += 1
        return iter(permutation(self.size, mix(number)))


class JavaRandom:
    """The generator java.util.Random, with the same numbers for the same seed."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)
        self.next_gaussian = None

    def bits(self, count):
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> 48 - count

    def integer(self, bound):
        if bound & -bound == bound:
            return bound * self.bits(31) >> 31
        while True:
            bits = self.bits(31)
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound

    def double(self):
        return ((self.bits(26) << 27) + self.bits(27)) * 2.0**-53

    def gaussian(self):
        if self.next_gaussian is not None:
            value, self.next_gaussian = self.next_gaussian, None
            return value
        while True:
            first, second = 2 * self.double() - 1, 2 * self.double() - 1
            square = first * first + second * second
            if 0 < square < 1:
                factor = math.sqrt(-2 * math.log(square) / square)
                self.next_gaussian = second * factor
                return first * factor


def digits(held_out=360):
    """The data of Digits.split(0, held_out) in Java: inputs and targets for training, inputs and targets for the test."""
    rows = np.loadtxt(ROOT / "api/src/main/resources/dev/outpost/data/digits.csv.gz", delimiter=",")
    order = permutation(len(rows), 0)
    inputs = torch.tensor(rows[order, :64] / 16, dtype=torch.float32)
    targets = torch.tensor(rows[order, 64], dtype=torch.int64)
    return inputs[held_out:], targets[held_out:], inputs[:held_out], targets[:held_out]


class Metrics:
    """Writes the file metrics.csv of a run, with the columns step and time, and a column for each name."""

    def __init__(self, run, *names):
        run.mkdir(parents=True, exist_ok=True)
        self.names, self.file = names, open(run / "metrics.csv", "w", newline="")
        self.writer = csv.writer(self.file)
        self.writer.writerow(["step", "time", *names])

    def log(self, step, name, value):
        cells = [value if name == column else "" for column in self.names]
        self.writer.writerow([step, time.time(), *cells])
        self.file.flush()


def arguments(epochs, folder):
    """Returns the arguments of a program: the number of epochs, the folder of the run, and the initial weights, or None without a file."""
    args = sys.argv[1:]
    return (
        int(args[0]) if args else epochs,
        Path(args[1] if len(args) > 1 else folder),
        load_file(args[2]) if len(args) > 2 else None,
    )
