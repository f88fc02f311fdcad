"""Writes what PyTorch answers at the singular points of its differentiable ops: zeros of both signs, infinities, NaN, ties and bounds.

    ./outpost parity --torch --singular FOLDER

FOLDER gets cases.jsonl and tensors.safetensors, in the form that src/test/resources/parity/README.md describes, and
second-derivatives.tsv. All is float64, so that roundings do not hide what an op defines. The gradient that arrives at each output is 3.
"""
import json
import math
import os
import struct
import sys

import torch

INF, NAN = math.inf, math.nan
ZEROS, ONES, INFINITE, NANS = [0.0, -0.0], [1.0, -1.0], [INF, -INF], [NAN]
POINTS = {"zero": ZEROS, "one": ONES, "infinite": INFINITE, "nan": NANS}


class Pack:
    def __init__(self):
        self.tensors, self.cases, self.numbers, self.refused = [], [], {}, []

    def tensor(self, value):
        self.tensors.append(value.detach().contiguous().clone())
        return f"t{len(self.tensors) - 1}"

    def argument(self, value, leaves):
        if isinstance(value, torch.Tensor):
            told = {"tensor": self.tensor(value)}
            if value.requires_grad:
                told["requires_grad"] = True
                leaves.append(value)
            return told
        if isinstance(value, (list, tuple)):
            return [self.argument(each, leaves) for each in value]
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": str(value)}
        return value

    def add(self, op, label, args, kwargs=None):
        kwargs = kwargs or {}
        leaves = []
        written = [self.argument(each, leaves) for each in args]
        named = {key: self.argument(each, leaves) for key, each in kwargs.items()}
        try:
            result = function(op)(*args, **kwargs)
            outputs = list(result) if isinstance(result, (list, tuple)) else [result]
            arriving = {place: torch.full_like(each, 3.0) for place, each in enumerate(outputs) if each.requires_grad}
            torch.autograd.backward([outputs[place] for place in arriving], list(arriving.values()))
        except (RuntimeError, IndexError) as refused:
            self.refused.append(f"{op}/{label}: {str(refused).splitlines()[0]}")
            return
        name = f"{op}/{label}"
        number = self.numbers.get(name, 0)
        self.numbers[name] = number + 1
        self.cases.append({
            "id": f"{name}/{number}", "op": op, "variant": "", "args": written, "kwargs": named,
            "outputs": [self.tensor(each) for each in outputs],
            "cotangents": {str(place): self.tensor(each) for place, each in arriving.items()},
            "grads": [None if leaf.grad is None else self.tensor(leaf.grad) for leaf in leaves]})

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        header, data, names = {"__metadata__": {"torch": torch.__version__.split("+")[0]}}, b"", {
            torch.float64: "F64", torch.int64: "I64", torch.bool: "BOOL"}
        for number, each in enumerate(self.tensors):
            content = each.numpy().tobytes()
            header[f"t{number}"] = {"dtype": names[each.dtype], "shape": list(each.shape),
                                    "data_offsets": [len(data), len(data) + len(content)]}
            data += content
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        with open(os.path.join(folder, "tensors.safetensors"), "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)
        with open(os.path.join(folder, "cases.jsonl"), "w") as file:
            for case in self.cases:
                file.write(json.dumps(case, separators=(",", ":")) + "\n")


def function(op):
    """Of the name; where a method takes its arguments in another order than the function, the method."""
    if op in ("where", "polygamma"):
        return getattr(torch.Tensor, op)
    where = torch
    for part in op.split("."):
        where = getattr(where, part, None)
    return where or getattr(torch.Tensor, op)


def leaf(values, shape=None):
    made = torch.tensor(values, dtype=torch.float64)
    return (made if shape is None else made.reshape(shape)).requires_grad_(True)


def unary(pack):
    plain = """abs acos acosh angle asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor
        frac i0 lgamma log log10 log1p log2 nan_to_num neg positive rad2deg reciprocal round rsqrt sgn sigmoid sign sin sinc sinh
        sqrt square tan tanh trunc special.entr special.erfcx special.i0e special.i1 special.i1e special.log_ndtr special.ndtr
        special.ndtri nn.functional.celu nn.functional.elu nn.functional.gelu nn.functional.hardshrink nn.functional.hardsigmoid
        nn.functional.hardswish nn.functional.hardtanh nn.functional.leaky_relu nn.functional.logsigmoid nn.functional.mish
        nn.functional.relu nn.functional.relu6 nn.functional.selu nn.functional.silu nn.functional.softplus
        nn.functional.softshrink nn.functional.softsign nn.functional.tanhshrink""".split()
    bounds = {
        "nn.functional.hardshrink": [0.5, -0.5], "nn.functional.softshrink": [0.5, -0.5], "nn.functional.relu6": [6.0],
        "nn.functional.hardsigmoid": [3.0, -3.0], "nn.functional.hardswish": [3.0, -3.0], "digamma": [-2.0], "lgamma": [-2.0],
        "ceil": [0.5, 2.0], "round": [0.5, 1.5, 2.5], "frac": [2.0, -2.0], "trunc": [2.0], "floor": [2.0],
        "nn.functional.softplus": [20.0], "log1p": [-1.0], "special.ndtri": [0.5]}
    for op in plain:
        for label, points in POINTS.items():
            pack.add(op, label, [leaf(points)])
        if op in bounds:
            pack.add(op, "bound", [leaf(bounds[op])])
    for label, points in {**POINTS, "bound": [0.25, 0.75]}.items():
        pack.add("logit", label, [leaf(points)])
        pack.add("logit", label, [leaf(points), 0.25])
        pack.add("nn.functional.threshold", label, [leaf(points), 0.25, 7.0])
        pack.add("nn.functional.prelu", label, [leaf(points), leaf([0.25])])
        pack.add("polygamma", label, [leaf(points), 1])
        pack.add("nan_to_num", label, [leaf(points)], {"nan": 2.0, "posinf": 0.75, "neginf": 0.25})
    for label, points in {**POINTS, "bound": [0.25, 0.75]}.items():
        for low, high in [(0.25, 0.75), (0.75, 0.25), (None, 0.75), (0.25, None), (0.25, 0.25), (NAN, None), (-INF, INF)]:
            pack.add("clamp", label, [leaf(points), low, high])
        pack.add("clamp_min", label, [leaf(points), 0.25])
        pack.add("clamp_max", label, [leaf(points), 0.75])
        pack.add("nn.functional.hardtanh", label, [leaf(points), 0.25, 0.75])
    for exponent in [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, INF, -INF, NAN]:
        for label, points in POINTS.items():
            pack.add("pow", label, [leaf(points), exponent])
    for base in [0.0, 1.0, 2.0, INF]:
        for label, points in POINTS.items():
            pack.add("__rpow__", label, [leaf(points), base])
    for label, points in POINTS.items():
        pack.add("float_power", label, [leaf(points), 2.0])
        pack.add("fmod", label, [leaf(points), 1.0])
        pack.add("remainder", label, [leaf(points), 1.0])
        pack.add("mvlgamma", label, [leaf([2.0 + each for each in points]), 2])
        pack.add("nn.functional.glu", label, [leaf(points + points)])
        pack.add("ldexp", label, [leaf(points), torch.tensor([1.0], dtype=torch.float64)])


def pairs(first, second):
    return leaf([a for a in first for b in second]), leaf([b for a in first for b in second])


def binary(pack):
    ops = """add sub mul div true_divide atan2 copysign float_power fmax fmin fmod hypot logaddexp logaddexp2 maximum minimum pow
        remainder xlogy special.xlog1py""".split()
    kinds = {
        "zero zero": (ZEROS, ZEROS), "zero one": (ZEROS, ONES), "one zero": (ONES, ZEROS), "tie": (ONES, ONES),
        "infinite one": (INFINITE, ONES), "one infinite": (ONES, INFINITE), "infinite infinite": (INFINITE, INFINITE),
        "zero infinite": (ZEROS, INFINITE), "infinite zero": (INFINITE, ZEROS), "nan one": (NANS, ONES),
        "one nan": (ONES, NANS), "nan nan": (NANS, NANS)}
    for op in ops:
        for label, (first, second) in kinds.items():
            pack.add(op, label, list(pairs(first, second)))
    for label, (first, second) in kinds.items():
        x, y = pairs(first, second)
        pack.add("clamp", "tensors " + label, [x, y, None])
        x, y = pairs(first, second)
        pack.add("clamp", "tensors " + label, [x, None, y])
        x, y = pairs(first, second)
        pack.add("clamp_min", "tensors " + label, [x, y])
        x, y = pairs(first, second)
        pack.add("clamp_max", "tensors " + label, [x, y])
        x, y = pairs(first, second)
        pack.add("where", label, [x, torch.tensor([True, False] * 8)[:x.numel()], y])
        x, y = pairs(first, second)
        pack.add("lerp", label, [x, y, 0.5])
        x, y = pairs(first, second)
        pack.add("dist", label, [x, y])
        x, y = pairs(first, second)
        pack.add("cdist", label, [x.detach().reshape(1, -1).requires_grad_(), y.detach().reshape(1, -1).requires_grad_()])
        for op in ["nn.functional.l1_loss", "nn.functional.smooth_l1_loss", "nn.functional.huber_loss", "nn.functional.mse_loss"]:
            x, y = pairs(first, second)
            pack.add(op, label, [x, y], {"reduction": "none"})
        x, y = pairs(first, second)
        pack.add("nn.functional.margin_ranking_loss", label, [x, y, torch.ones(x.numel(), dtype=torch.float64)],
                 {"reduction": "none"})
    for op in ["nn.functional.smooth_l1_loss", "nn.functional.huber_loss"]:
        pack.add(op, "bound", [leaf([1.0, -1.0, 2.0]), leaf([0.0, 0.0, 0.0])], {"reduction": "none"})
    triple = [leaf([0.0, 1.0, 2.0]), leaf([1.0, 1.0, 3.0]), leaf([2.0, 1.0, 2.0])]
    pack.add("clamp", "tensors bound", triple)
    pack.add("clamp", "tensors crossed", [leaf([0.0, 1.0, 2.0]), leaf([2.0, 2.0, 2.0]), leaf([1.0, 1.0, 1.0])])
    pack.add("addcdiv", "zero", [leaf([1.0, 1.0]), leaf([0.0, 1.0]), leaf([0.0, 0.0])])
    for target in [0.0, 1.0, 0.5]:
        for label, points in {"bound": [0.0, 1.0, 0.5], "nan": NANS}.items():
            pack.add("nn.functional.binary_cross_entropy", label,
                     [leaf(points), torch.full((len(points),), target, dtype=torch.float64)], {"reduction": "none"})
        for label, points in POINTS.items():
            pack.add("nn.functional.binary_cross_entropy_with_logits", label,
                     [leaf(points), torch.full((len(points),), target, dtype=torch.float64)], {"reduction": "none"})
            pack.add("nn.functional.kl_div", label,
                     [leaf(points), torch.full((len(points),), target, dtype=torch.float64, requires_grad=True)],
                     {"reduction": "none"})
    for label, points in POINTS.items():
        pack.add("nn.functional.hinge_embedding_loss", label, [leaf(points), torch.tensor([1.0, -1.0], dtype=torch.float64)[:len(points)]],
                 {"reduction": "none"})
        pack.add("nn.functional.soft_margin_loss", label, [leaf(points), torch.tensor([1.0, -1.0], dtype=torch.float64)[:len(points)]],
                 {"reduction": "none"})
    pack.add("nn.functional.hinge_embedding_loss", "bound", [leaf([1.0]), torch.tensor([-1.0], dtype=torch.float64)], {"reduction": "none"})
    pack.add("nn.functional.multi_margin_loss", "bound", [leaf([[0.0, 1.0, 2.0]]), torch.tensor([1])])
    pack.add("nn.functional.triplet_margin_loss", "tie", [leaf([[1.0, 2.0]]), leaf([[1.0, 2.0]]), leaf([[1.0, 2.0]])])


ROWS = {
    "tie": [[1.0, 1.0, 1.0], [2.0, 1.0, 2.0]], "zero": [[0.0, -0.0, 0.0], [-0.0, 0.0, -0.0]],
    "infinite tie": [[INF, INF, 1.0], [-INF, -INF, 1.0]], "all infinite": [[INF, INF, INF], [-INF, -INF, -INF]],
    "one infinite": [[INF, 1.0, 2.0], [-INF, 1.0, 2.0]], "nan": [[NAN, 1.0, 2.0], [1.0, NAN, NAN]],
    "all nan": [[NAN, NAN, NAN]], "one zero": [[0.0, 2.0, 3.0], [0.0, 0.0, 3.0]]}


def reductions(pack):
    whole = "amax amin max min median nanmedian prod sum mean nansum nanmean std var norm linalg.vector_norm".split()
    for label, rows in ROWS.items():
        for op in whole:
            pack.add(op, label, [leaf(rows)])
        for op in "amax amin logsumexp prod sum mean nansum nanmean std var max min median nanmedian mode".split():
            pack.add(op, label + " rows", [leaf(rows), 1])
        for op in "cummax cummin cumprod cumsum logcumsumexp softmax log_softmax sort nn.functional.softmin".split():
            pack.add(op, label, [leaf(rows), 1])
        pack.add("kthvalue", label, [leaf(rows), 2, 1])
        pack.add("topk", label, [leaf(rows), 2, 1])
        pack.add("msort", label, [leaf(rows)])
        for order in [0.0, 0.5, 1.0, 2.0, 3.0, INF, -INF]:
            pack.add("linalg.vector_norm", label + " rows", [leaf(rows), order, 1])
            pack.add("norm", label + " rows", [leaf(rows), order, 1])
        for order in [0.0, 0.5, 1.0, 2.0, 3.0, INF]:
            pack.add("dist", label, [leaf(rows), leaf([[0.0] * 3] * len(rows)), order])
            pack.add("cdist", label, [leaf(rows), leaf([[0.0] * 3, [1.0] * 3]), order])
        for order in [0.5, 1.0, 2.0, 3.0, INF]:
            pack.add("nn.functional.pdist", label, [leaf(rows + rows), order])
            pack.add("nn.functional.normalize", label, [leaf(rows), order, 1])
            pack.add("nn.functional.pairwise_distance", label, [leaf(rows), leaf(rows), order])
        pack.add("quantile", label, [leaf(rows), 0.5, 1])
        pack.add("nanquantile", label, [leaf(rows), 0.5, 1])
        pack.add("renorm", label, [leaf(rows), 2.0, 0, 1.0])
        pack.add("nn.functional.cosine_similarity", label, [leaf(rows), leaf(rows), 1])
        pack.add("nn.functional.layer_norm", label, [leaf(rows), [3]])
        pack.add("nn.functional.cross_entropy", label, [leaf(rows), torch.tensor([1, 2][:len(rows)])])
        pack.add("nn.functional.max_pool1d", label, [leaf([rows]), 2, 1])
        pack.add("nn.functional.adaptive_max_pool1d", label, [leaf([rows]), 2])
        pack.add("nn.functional.max_pool2d", label, [leaf([[rows]]), [1, 2], 1])
        pack.add("nn.functional.avg_pool1d", label, [leaf([rows]), 2, 1])
        index = torch.tensor([[0, 0, 1]] * len(rows))
        for reduce in ["amax", "amin", "prod", "mean", "sum"]:
            for include in [True, False]:
                pack.add("scatter_reduce", label + " " + reduce,
                         [leaf([[1.0, 0.0]] * len(rows)), 1, index, leaf(rows), reduce], {"include_self": include})
    for op in ["std", "var", "std_mean", "var_mean"]:
        pack.add(op, "one element", [leaf([2.0])])
        pack.add(op, "one element", [leaf([2.0]), 0], {"correction": 0})


def matrices(pack):
    singular = [[1.0, 2.0], [2.0, 4.0]]
    for label, matrix in {"zero": [[0.0, 0.0], [0.0, 0.0]], "singular": singular, "identity": [[1.0, 0.0], [0.0, 1.0]]}.items():
        pack.add("linalg.det", label, [leaf(matrix)])
        pack.add("linalg.matrix_norm", label, [leaf(matrix), "fro"])
        for order in [1, -1, INF, -INF]:
            pack.add("linalg.matrix_norm", label, [leaf(matrix), float(order)])
        pack.add("trace", label, [leaf(matrix)])
        pack.add("matrix_exp", label, [leaf(matrix)])
    pack.add("linalg.slogdet", "identity", [leaf([[1.0, 0.0], [0.0, 1.0]])])
    pack.add("linalg.cross", "zero", [leaf([0.0, 0.0, 0.0]), leaf([0.0, 0.0, 0.0])])


TINY = [1e-300, -1e-300, 5e-324]


def rare(pack):
    """Points beside the singular ones, and ops that choose or compare."""
    pack.add("sinc", "tiny", [leaf(TINY)])
    for exponent in [-2.0, -0.5, 1.5, 2.5]:
        for label, points in POINTS.items():
            pack.add("pow", label, [leaf(points), exponent])
    for reduction in ["none", "mean", "sum"]:
        for target in [0.0, 1.0, 0.5]:
            points = [0.0, 1.0, 1e-300, 1e-14, 0.5]
            pack.add("nn.functional.binary_cross_entropy", "target",
                     [leaf(points), leaf([target] * len(points))], {"reduction": reduction})
    for label, rows in ROWS.items():
        count = len(rows)
        for reduce in ["max", "min", "mean", "sum", "prod"]:
            for lengths in [[1] * count, [count] + [0] * (count - 1)]:
                pack.add("segment_reduce", f"{label} {reduce}", [leaf(rows), reduce], {"lengths": torch.tensor(lengths)})
        for reduce, initial in [("max", 1.0), ("min", 1.0)]:
            pack.add("segment_reduce", f"{label} {reduce} initial", [leaf(rows), reduce],
                     {"lengths": torch.tensor([1] * count), "initial": initial})
        values = leaf(rows).detach()
        for right in [False, True]:
            bounds = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
            pack.add("bucketize", label, [values, bounds], {"right": right})
            pack.add("searchsorted", label, [bounds, values], {"right": right})
        classes = torch.tensor([0, 2][:count])
        pack.add("nn.functional.multi_margin_loss", label, [leaf(rows), classes], {"reduction": "none"})
        pack.add("nn.functional.multi_margin_loss", label, [leaf(rows), classes], {"p": 2, "margin": 0.5, "reduction": "none"})
        pack.add("nn.functional.multilabel_margin_loss", label,
                 [leaf(rows), torch.tensor([[0, 2, -1], [1, -1, -1]][:count])], {"reduction": "none"})
        pack.add("gradient", label, [leaf(rows)], {"dim": 1})
        pack.add("gradient", label, [leaf(rows)], {"dim": 1, "edge_order": 2, "spacing": 0.5})
        for op in ["nn.functional.smooth_l1_loss", "nn.functional.huber_loss"]:
            pack.add(op, label, [leaf(rows), leaf([[1.0, 0.0, 2.0]] * count)], {"reduction": "none"})


# What is differentiated twice. Behind a "/" stands the second argument: a number, "dim" for dimension 0, "ones" for a tensor like the
# first, "rows" for such a tensor where both are matrices of one row.
SECOND_POINTS = """erfinv exp log rsqrt sinc sqrt square tanh nn.functional.celu nn.functional.elu nn.functional.gelu nn.functional.selu
    nn.functional.silu nn.functional.softplus nn.functional.hardswish nn.functional.logsigmoid nn.functional.leaky_relu pow/-1.0
    pow/-0.5 pow/0.5 pow/1.5 pow/2.0 pow/3.0""".split()
SECOND_OF_ROWS = """nn.functional.smooth_l1_loss/ones nn.functional.huber_loss/ones nn.functional.mse_loss/ones prod/dim cumprod/dim
    cdist/rows linalg.vector_norm""".split()
SECOND_ROWS = [
    [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [INF, 1.0, 2.0], [INF, INF, 1.0], [-INF, 1.0, 2.0],
    [NAN, 1.0, 2.0], [3.0, 4.0, 0.0]]


def second(file):
    """A line each: the call, x, the gradient of a weighted sum of the result, and that of a weighted sum of the gradient."""

    def weighted(tensor):
        return (tensor * torch.arange(1, tensor.numel() + 1, dtype=torch.float64).reshape(tensor.shape)).sum()

    for calls, rows in [(SECOND_POINTS, [[point] for points in POINTS.values() for point in points]), (SECOND_OF_ROWS, SECOND_ROWS)]:
        for call in calls:
            op, _, other = call.partition("/")
            for row in rows:
                x = leaf(row)
                ones = torch.ones_like(x, requires_grad=False)
                args = {"": [x], "dim": [x, 0], "ones": [x, ones], "rows": [x[None], ones[None]]}.get(other)
                first, = torch.autograd.grad(weighted(function(op)(*(args or [x, float(other)]))), x, create_graph=True)
                again = None
                if first.requires_grad:
                    again, = torch.autograd.grad(weighted(first), x, allow_unused=True)
                again = torch.zeros_like(x) if again is None else again
                columns = [call] + [" ".join(map(str, each.tolist())) for each in (x, first, again)]
                file.write("\t".join(columns) + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    made = Pack()
    for part in (unary, binary, reductions, matrices, rare):
        part(made)
    made.write(sys.argv[1])
    with open(os.path.join(sys.argv[1], "second-derivatives.tsv"), "w") as file:
        second(file)
    for each in made.refused:
        print("PyTorch refuses", each)
    print(f"{len(made.cases)} cases of {len({case['op'] for case in made.cases})} ops by PyTorch {torch.__version__.split('+')[0]}")
