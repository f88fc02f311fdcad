"""PyTorch as the other side of the fuzzer: runs a statement at a time and tells what came of it. TorchProcess.java has
the other end.

Requests and answers are objects of JSON, one a line; elements are little-endian bytes in base64.
"""
import base64
import contextlib
import ctypes
import functools
import json
import math
import os
import sys
import warnings

answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)  # What libraries print must not come between the answers.


def answer(message):
    answers.write(json.dumps(message) + "\n")
    answers.flush()


try:
    import torch
except ImportError as missing:
    answer({"missing": str(missing)})
    sys.exit()

warnings.simplefilter("ignore")
torch.set_num_threads(1)
REFUSALS = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError, ZeroDivisionError, OverflowError,
            AttributeError)
EXACT = {name: torch.float64 for name in ("float32", "float16", "bfloat16")}


class ExactTorch:
    """The module with float64 in place of every narrower floating dtype."""

    def __getattr__(self, name):
        return EXACT.get(name) or getattr(torch, name)


shaker = torch.Generator()


def shaken(value):
    """A floating tensor with each element off by a unit in its last place, one way or the other."""
    signs = torch.randint(0, 2, value.shape, generator=shaker).to(torch.float64) * 2 - 1
    return (value.detach().double() * (1 + torch.finfo(value.dtype).eps * signs)).to(value.dtype)


class ShakenTorch:
    """The module with every new floating tensor off by a unit in its last place."""

    def __getattr__(self, name):
        return getattr(torch, name)

    def tensor(self, data, dtype, requires_grad=False):
        plain = torch.tensor(data, dtype=dtype)
        return (shaken(plain) if dtype.is_floating_point else plain).requires_grad_(requires_grad)


def shake_results(names, memory):
    """Moves what a statement has computed, and later the gradients that arrive there, by a unit: as a rounding would.

    memory: addresses of memory that holds a value already; what shares it has moved before.
    """
    for value in tensors(names):
        address = value.untyped_storage().data_ptr()
        if address in memory or not value.is_floating_point():
            continue
        memory.add(address)
        if value.grad_fn is not None and value.numel() > 0 and value.is_contiguous():
            value.data.copy_(shaken(value))
            value.register_hook(shaken)


def element_by_element(function):
    """On a CPU PyTorch takes most elements of a long tensor as vectors, and those have another slope at NaN than one by itself."""

    def defined(x, *arguments, **keywords):
        if x.numel() == 0:
            return function(x, *arguments, **keywords)
        return torch.stack([function(e, *arguments, **keywords) for e in x.reshape(-1)]).reshape(x.shape)

    return defined


def group_norm(x, groups, weight=None, bias=None, eps=1e-5):
    """PyTorch's kernel gathers the sums of the gradient in another order, and takes an infinity from an infinity there."""
    wide = x.double() if x.dtype == torch.float64 else x.float()
    rows = wide.reshape(x.shape[0], groups, -1)
    centered = rows - rows.mean(-1, keepdim=True)
    normal = (centered / (centered.square().mean(-1, keepdim=True) + eps).sqrt()).reshape(x.shape)
    channels = [1, -1] + [1] * (x.dim() - 2)
    scaled = normal if weight is None else normal * weight.reshape(channels)
    return (scaled if bias is None else scaled + bias.reshape(channels)).to(x.dtype)


def layer_norm(x, shape, weight=None, bias=None, eps=1e-5):
    """As group_norm."""
    wide = x.double() if x.dtype == torch.float64 else x.float()
    dims = list(range(-len(shape), 0))
    centered = wide - wide.mean(dims, keepdim=True)
    normal = centered / (centered.square().mean(dims, keepdim=True) + eps).sqrt()
    scaled = normal if weight is None else normal * weight
    return (scaled if bias is None else scaled + bias).to(x.dtype)


def reduced(losses, reduction):
    return losses if reduction == "none" else getattr(losses, reduction)()


def binary_cross_entropy(x, target, reduction="mean"):
    """PyTorch's kernel adds the slopes of both terms before they meet a gradient, which may be infinite."""
    logs, others = x.log().clamp(min=-100), (-x).log1p().clamp(min=-100)
    return reduced((target - 1) * others - target * logs, reduction)


def binary_cross_entropy_with_logits(x, target, reduction="mean"):
    return reduced((1 - target) * x - torch.nn.functional.logsigmoid(x), reduction)


def power(x, exponent):
    """Of a number PyTorch takes roots, which have no value at -inf, and of a tensor powers."""
    return PLAIN["pow"](x, torch.tensor(exponent) if isinstance(exponent, float) else exponent)


def addcmul(x, one, other, value=1):
    """PyTorch's gradient of what is spread is summed at its end, and so may take an infinity from an infinity."""
    return x + value * (one * other)


def addcdiv(x, one, other, value=1):
    return x + value * (one / other)


def logcumsumexp(x, dim):
    """PyTorch's gradient is that of positive and of negative gradients, and NaN is neither."""
    if x.dim() == 0:
        return x.logsumexp(0)
    prefixes = [x.narrow(dim, 0, size + 1).logsumexp(dim) for size in range(x.size(dim))]
    return torch.stack(prefixes, dim) if prefixes else x.clone()


def of_all(name):
    """Over all elements PyTorch's gradient without a degree of freedom is infinite wherever an element is not the mean, NaN among them."""

    def along_one(x, *dims, **keywords):
        return PLAIN[name](x, *dims, **keywords) if dims or "dim" in keywords else PLAIN[name](x.reshape(-1), 0, **keywords)

    return along_one


# What sorts or writes in a copy whose elements share memory as the tensor's do.
SHARING = ("median", "nanmedian", "select_scatter", "slice_scatter", "diagonal_scatter")
PLAIN = {
    name: getattr(torch.Tensor, name)
    for name in ("pow", "atan2", "var", "std", "addcmul", "addcmul_", "addcdiv", "addcdiv_", "logcumsumexp", *SHARING)
}
DEFINED = {
    "logcumsumexp": logcumsumexp,
    "var": of_all("var"),
    "std": of_all("std"),
    "pow": power,
    "pow_": lambda x, exponent: x.copy_(power(x, exponent)),
    "addcmul": addcmul,
    "addcmul_": lambda x, *operands, **value: x.copy_(addcmul(x, *operands, **value)),
    "addcdiv": addcdiv,
    "addcdiv_": lambda x, *operands, **value: x.copy_(addcdiv(x, *operands, **value)),
}


def arc_tangent(x, other):
    """PyTorch's gradient squares integers as integers, which may be too large for them."""
    common = torch.result_type(x, other)
    dtype = common if common.is_floating_point else torch.get_default_dtype()
    return PLAIN["atan2"](x.to(dtype), other.to(dtype))


def scaled(name):
    """PyTorch's gradient scales integers as integers, which may wrap."""

    def prepared(x, one, other, value=1):
        dtype = functools.reduce(torch.promote_types, (one.dtype, other.dtype), x.dtype)
        return PLAIN[name](x, one.to(dtype), other.to(dtype), value=value)

    return prepared


def copied(name):
    return lambda x, *arguments, **keywords: PLAIN[name](x.contiguous(), *arguments, **keywords)


def as_strided_scatter(x, source, size, stride, storage_offset=None):
    """PyTorch's gradient flows to what was written over, and to nothing else."""
    result = x.clone(memory_format=torch.contiguous_format)
    result.as_strided(size, stride, storage_offset or 0).copy_(source)
    return result


PREPARED = {
    "as_strided_scatter": as_strided_scatter,
    "atan2": arc_tangent,
    **{name: copied(name) for name in SHARING},
    **{name: scaled(name) for name in ("addcmul", "addcmul_", "addcdiv", "addcdiv_")},
}


@contextlib.contextmanager
def methods(replacements):
    """Tensors with other methods, for a while."""
    originals = {name: getattr(torch.Tensor, name) for name in replacements}
    for name, method in replacements.items():
        setattr(torch.Tensor, name, method)
    try:
        yield
    finally:
        for name, method in originals.items():
            setattr(torch.Tensor, name, method)


class Defined:
    """torch.nn.functional with the definitions of functions whose kernels answer something else where a number is not finite."""

    OWN = {
        "group_norm": group_norm,
        "layer_norm": layer_norm,
        "binary_cross_entropy": binary_cross_entropy,
        "binary_cross_entropy_with_logits": binary_cross_entropy_with_logits,
    }
    VECTORS = ("relu6", "hardtanh", "hardswish", "hardshrink", "softshrink", "elu", "celu", "selu")

    def __getattr__(self, name):
        function = getattr(torch.nn.functional, name)
        return element_by_element(function) if name in self.VECTORS else self.OWN.get(name, function)


def fresh(module, functional=torch.nn.functional):
    return {"torch": module, "F": functional, "nan": math.nan, "inf": math.inf}


def described(value):
    if value is None:
        return None
    value = torch.as_tensor(value)
    plain = value.detach().contiguous()
    return {
        "dtype": str(plain.dtype).removeprefix("torch."),
        "shape": list(plain.shape),
        "data": base64.b64encode(ctypes.string_at(plain.data_ptr(), plain.nbytes) if plain.nbytes else b"").decode(),
        "requires_grad": value.requires_grad,
    }


def adopt(variable, data):
    """The elements change under autograd's feet: it must not count that as a write."""
    given = torch.frombuffer(bytearray(base64.b64decode(data)), dtype=variable.dtype).reshape(variable.shape)
    try:
        variable.data.copy_(given)
    except RuntimeError:
        pass  # Elements share memory: their base has adopted them, or they keep their roundings.


def tensors(names):
    for value in list(names.values()):
        yield from (each for each in (value if isinstance(value, (list, tuple)) else [value]) if torch.is_tensor(each))


def ask_for_graph(tensor):
    """Until then a view is taken for a leaf whose base has got a graph since."""
    try:
        tensor.grad_fn
    except RuntimeError:
        pass  # One of several views of one op must not be written to, which whoever writes is told.


def run(request, names):
    for name, data in request.get("adopt", {}).items():
        adopt(eval(name, names), data)
    for tensor in tensors(names):
        ask_for_graph(tensor)
    try:
        exec(request["run"], names)
    except REFUSALS as refusal:
        return {"refused": f"{type(refusal).__name__}: {refusal}"}
    return {"seen": {name: described(eval(name, names)) for name in request["look"]}}


def run_all(lines, looks, *modules, behind=lambda names: None):
    names = fresh(*modules)
    for line in lines:
        try:
            exec(line, names)
        except REFUSALS:
            pass
        behind(names)
    return {name: eval(name, names) for name in looks}


def run_exactly(lines, looks, *functional):
    torch.set_default_dtype(torch.float64)
    try:
        with methods({name: torch.Tensor.double for name in ("float", "half", "bfloat16")}):
            return run_all(lines, looks, ExactTorch(), *functional)
    finally:
        torch.set_default_dtype(torch.float32)


def spread(plain, shaken):
    values = [value.detach().double() for value in shaken]
    return torch.stack([(value - plain.detach().double()).abs() for value in values]).amax(0)


def run_shaken(lines, looks):
    """How far each value moves, at the most, when tensors move by a unit: those given, and those computed as well."""
    shaker.manual_seed(0)
    plain = run_all(lines, looks, torch)
    runs = [run_all(lines, looks, ShakenTorch()) for _ in range(6)]
    for _ in range(6):
        memory = set()
        runs.append(run_all(lines, looks, ShakenTorch(), behind=lambda names: shake_results(names, memory)))
    return {name: spread(plain[name], [each[name] for each in runs]) for name in plain}


def run_defined(lines, looks):
    with methods(DEFINED):
        return run_all(lines, looks, torch, Defined())


def run_exactly_defined(lines, looks):
    with methods(DEFINED):
        return run_exactly(lines, looks, Defined())


def run_prepared(lines, looks):
    with methods(PREPARED):
        return run_all(lines, looks, torch)


WAYS = {
    "EXACTLY": run_exactly,
    "SHAKEN": run_shaken,
    "DEFINED": run_defined,
    "EXACTLY_DEFINED": run_exactly_defined,
    "PREPARED": run_prepared,
}


def recompute(request):
    try:
        seen = WAYS[request["way"]](request["recompute"], request["look"])
        return {"seen": {name: described(value) for name, value in seen.items()}}
    except Exception as failure:
        return {"refused": f"{type(failure).__name__}: {failure}"}


samples = {}


def load_samples(request):
    try:
        exec(request["load"], samples)
    except ImportError as missing:
        return {"missing": str(missing)}
    samples["draw_from"](request["ops"])
    return {"loaded": True}


def draw_sample(seed):
    drawn, given = samples["draw_sample"](seed)
    return {**drawn, "tensors": {name: described(value) for name, value in given.items()}}


answer({"version": torch.__version__})
names = fresh(torch)
for line in sys.stdin:
    request = json.loads(line)
    if "run" in request:
        answer(run(request, names))
    elif "recompute" in request:
        answer(recompute(request))
    elif "load" in request:
        answer(load_samples(request))
    elif "sample" in request:
        answer(draw_sample(request["sample"]))
    else:
        names = fresh(torch)
