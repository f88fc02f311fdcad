"""Draws calls of ops from the samples of PyTorch's own operator tests (OpInfo), and changes their arguments at random.

torch_peer.py runs it when it is asked for the first call.
"""
import itertools
import random

import torch
from torch.testing._internal.common_methods_invocations import op_db

DTYPES = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16,
          torch.float32, torch.float64)
# Their results are random, are what memory held, or are free in a sign or a phase; in what is between brackets a list is not a
# tuple, and __rpow__ had no gradient towards its base in the version that the table of ops follows.
UNDEFINED = {"__getitem__", "__rpow__", "bernoulli", "cauchy", "empty", "empty_like", "empty_permuted", "empty_strided", "exponential", "geometric",
             "linalg.eig", "linalg.eigh", "linalg.ldl_factor", "linalg.ldl_factor_ex",
             "linalg.qr", "linalg.svd", "log_normal", "multinomial", "new_empty", "new_empty_strided", "normal",
             "pca_lowrank", "qr", "resize_", "resize_as_", "svd", "svd_lowrank", "symeig", "uniform"}
RANDOM_WORDS = ("rand", "dropout", "rrelu", "fractional", "gumbel")
MOST_ELEMENTS = 200
NUMBERS = (0, 1, -1, 2, -2, 3, 0.5, -0.5, 1.5, -1.5, 100, float("inf"), float("-inf"), float("nan"))
SPECIAL = (0, 0, 1, -1, float("inf"), float("-inf"), float("nan"))


class NoSample(Exception):
    """What was drawn cannot be written as a call."""


def is_defined(name):
    return name not in UNDEFINED and not any(word in name for word in RANDOM_WORDS)


def tensors_in(value):
    if torch.is_tensor(value):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


class Drawer:
    """One call; all that is drawn comes from the seed."""

    def __init__(self, seed, ops):
        self.random = random.Random(seed)
        torch.manual_seed(seed)
        self.ops = ops
        self.tensors = {}

    def draw(self):
        while True:
            info = self.random.choice(self.ops)
            try:
                return self.written(info, *self.sample(info))
            except NoSample:
                self.tensors = {}

    def sample(self, info):
        dtypes = [dtype for dtype in DTYPES if dtype in info.supported_dtypes("cpu")]
        if not dtypes:
            raise NoSample
        dtype = self.random.choice(dtypes)
        try:
            small = [sample for sample in itertools.islice(info.sample_inputs("cpu", dtype), 200) if self.is_small(sample)]
        except Exception:  # What the samples need is not there, as SciPy.
            raise NoSample
        if not small:
            raise NoSample
        sample = self.random.choice(small)
        return [sample.input, *sample.args], dict(sample.kwargs)

    @staticmethod
    def is_small(sample):
        values = tensors_in([sample.input, *sample.args, *sample.kwargs.values()])
        return sum(value.numel() for value in values) <= MOST_ELEMENTS

    # ---- what is changed

    def changed(self, value):
        if torch.is_tensor(value):
            return self.changed_tensor(value) if self.random.random() < 0.25 else value
        if isinstance(value, (list, tuple)):
            return [self.changed(item) for item in value]
        if isinstance(value, bool):
            return value if self.random.random() < 0.85 else not value
        if isinstance(value, int):
            return value if self.random.random() < 0.85 else self.random.choice((value + 1, value - 1, -value, 0, 1))
        if isinstance(value, float):
            return value if self.random.random() < 0.8 else self.random.choice(NUMBERS)
        return value

    def changed_tensor(self, value):
        way = self.random.choice((self.cast, self.cast, self.widened, self.cut, self.with_special, self.with_special))
        return way(value)

    def cast(self, value):
        return value.to(self.random.choice(DTYPES))

    def widened(self, value):
        return value.unsqueeze(0)

    def cut(self, value):
        """One dimension has another size: 1, which may be broadcast, or none."""
        if value.dim() == 0:
            return value
        dim = self.random.randrange(value.dim())
        return value.narrow(dim, 0, min(value.size(dim), self.random.choice((0, 1, 1))))

    def with_special(self, value):
        if not value.is_floating_point() or value.numel() == 0:
            return value
        places = torch.rand(value.shape) < 0.3
        return value.masked_fill(places, self.random.choice(SPECIAL))

    # ---- how it is written

    def written(self, info, arguments, keywords):
        arguments = [self.changed(argument) for argument in arguments]
        keywords = {name: self.changed(value) for name, value in keywords.items()}
        wants_gradients = info.supports_autograd and self.random.random() < 0.6
        return {
            "op": info.name,
            "arguments": [self.encoded(argument, wants_gradients) for argument in arguments],
            "keywords": {name: self.encoded(value, wants_gradients) for name, value in keywords.items()},
            "parts": has_parts(info, arguments, keywords),
        }

    def encoded(self, value, wants_gradients):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise NoSample
            return value
        if isinstance(value, float):
            return value if value - value == 0 else {"float": str(value)}
        if isinstance(value, torch.dtype):
            if value not in DTYPES:
                raise NoSample
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, slice):
            return {"slice": [value.start, value.stop, value.step]}
        if value is Ellipsis:
            return {"ellipsis": True}
        if isinstance(value, (list, tuple)):
            return [self.encoded(item, wants_gradients) for item in value]
        if torch.is_tensor(value) and value.layout == torch.strided and value.dtype in DTYPES:
            return self.named(value, wants_gradients)
        raise NoSample

    def named(self, value, wants_gradients):
        name = f"t{len(self.tensors)}"
        takes_part = wants_gradients and value.is_floating_point() and self.random.random() < 0.8
        self.tensors[name] = value.detach().clone().requires_grad_(takes_part)
        return {"tensor": name}


def callable_of(name):
    """What PythonText.java writes for an op's name."""
    if "." not in name and hasattr(torch.Tensor, name):
        return getattr(torch.Tensor, name)
    found = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def attempted(function, arguments, keywords):
    """The result, or None for a refusal."""
    try:
        return function(*arguments, **keywords)
    except Exception:
        return None


def has_parts(info, arguments, keywords):
    """Whether the result is a list. Some samples are for a wrapper around the op, which takes its arguments in another way."""
    function = callable_of(info.name)
    if not callable(function):
        raise NoSample
    result = attempted(function, arguments, keywords)
    if result is None and attempted(info.op, arguments, keywords) is not None:
        raise NoSample
    return isinstance(result, (list, tuple))


infos = []


def draw_from(ops):
    """Says which ops there are to draw."""
    infos[:] = [info for info in op_db if info.name in ops and is_defined(info.name)]


def draw_sample(seed):
    """A call and its tensors by name."""
    drawer = Drawer(seed, infos)
    drawn = drawer.draw()
    return drawn, drawer.tensors
