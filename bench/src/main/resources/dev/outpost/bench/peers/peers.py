"""PyTorch as a peer: the workloads by name, computed eagerly on request. PythonPeer.java has the other end.

A message is an object of JSON on a line, and the elements of the tensors that it announces, little-endian.
"""
import json
import math
import os
import sys
import time

import torch
import torch.nn.functional as F

torch.set_num_threads(len(os.sched_getaffinity(0)))

LOOK = 1 << 16
LAYERS, WIDTH, HEADS, SEQUENCE = 4, 256, 8, 128
OTHERS = 4
DTYPES = {"float32": torch.float32, "int64": torch.int64}


def elementwise(ops):
    def step(inputs):
        x = inputs[0]
        for op in range(ops):
            other = inputs[1 + op // 4 * 2 % OTHERS + op % 2]
            kind = op % 4
            x = x + other if kind == 0 else x * other if kind == 1 else x.relu() if kind == 2 else x.tanh()
        return x

    return step


def matmul_chain(inputs):
    x = inputs[0]
    for product in range(1000):
        x = x @ inputs[1 + product % 2]
    return x


def layer_norm(x, inputs):
    return F.layer_norm(x, (x.shape[-1],), inputs[1], inputs[2])


def gradient(function, leaves, weights):
    """The gradient, by its first input, of a function's result weighted by another input."""

    def step(inputs):
        for leaf in range(leaves):
            inputs[leaf].requires_grad_()
        (function(inputs) * inputs[weights]).sum().backward()
        return inputs[0].grad

    return step


def mlp(w, x):
    return F.linear(F.linear(x, w["0.weight"], w["0.bias"]).relu(), w["2.weight"], w["2.bias"])


def named_linear(x, w, name):
    return F.linear(x, w[name + ".weight"], w[name + ".bias"])


def named_norm(x, w, name):
    return F.layer_norm(x, (WIDTH,), w[name + ".weight"], w[name + ".bias"])


def attend(query, key, value):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)
    future = torch.full((SEQUENCE, SEQUENCE), -math.inf).triu(1)
    return (query / math.sqrt(WIDTH / HEADS) @ key.mT + future).softmax(-1) @ value


def attention(x, w, block):
    parts = named_linear(x, w, block + "mixed").chunk(3, -1)
    heads = [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts]
    return named_linear(attend(*heads).transpose(1, 2).flatten(2), w, block + "joined")


def transformer(w, tokens):
    x = F.embedding(tokens, w["tokens.weight"]) + w["positions"]
    for layer in range(LAYERS):
        block = f"blocks.{layer}."
        x = x + attention(named_norm(x, w, block + "before"), w, block)
        wide = F.gelu(named_linear(named_norm(x, w, block + "between"), w, block + "wide"))
        x = x + named_linear(wide, w, block + "narrow")
    return named_linear(named_norm(x, w, "norm"), w, "head").flatten(0, 1)


def convolution(w, x):
    for name in ("0", "3"):
        x = F.max_pool2d(torch.relu(F.conv2d(x, w[name + ".weight"], w[name + ".bias"])), 2)
    return named_linear(torch.relu(named_linear(x.flatten(1), w, "7")), w, "9")


def training(model, weights, optimizer):
    def step(inputs):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(weights, inputs[0]), inputs[1].flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def workload(name, weights):
    leaves = [weight.requires_grad_() for weight in weights.values()]
    return {
        "elementwise-1000-of-16x16": lambda: elementwise(1000),
        "elementwise-100-of-1m": lambda: elementwise(100),
        "matmul-1000-of-16": lambda: matmul_chain,
        "softmax-forward": lambda: lambda inputs: inputs[0].softmax(-1),
        "softmax-forward-backward": lambda: gradient(lambda inputs: inputs[0].softmax(-1), 1, 1),
        "layer-norm-forward": lambda: lambda inputs: layer_norm(inputs[0], inputs),
        "layer-norm-forward-backward": lambda: gradient(lambda inputs: layer_norm(inputs[0], inputs), 3, 3),
        "matmul-1024": lambda: lambda inputs: inputs[0] @ inputs[1],
        "matmul-2048": lambda: lambda inputs: inputs[0] @ inputs[1],
        "mlp-adam": lambda: training(mlp, weights, torch.optim.Adam(leaves, 1e-3)),
        "convolution-adamw": lambda: training(
            convolution, weights, torch.optim.AdamW(leaves, 1e-3, weight_decay=0.01)
        ),
        "transformer-adamw": lambda: training(
            transformer, weights, torch.optim.AdamW(leaves, 3e-4, weight_decay=0.01)
        ),
    }[name]()


def look(result):
    return result.sum().item() if result.numel() > LOOK else result.tolist()


def read_tensor(description):
    elements = math.prod(description["shape"])
    dtype = DTYPES[description["dtype"]]
    content = bytearray(sys.stdin.buffer.read(elements * torch.empty(0, dtype=dtype).element_size()))
    return torch.frombuffer(content, dtype=dtype).reshape(description["shape"])


def answer(message, content=b""):
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n" + content)
    sys.stdout.buffer.flush()


def run(step, steps):
    start = time.perf_counter()
    results = [step(inputs) for inputs in steps]
    for result in results:
        look(result)
    return results, (time.perf_counter() - start) * 1e3


def serve():
    step, loaded, results = None, [], []
    for line in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(line)
        tensors = [read_tensor(description) for description in request.get("tensors", [])]
        if "open" in request:
            step = workload(request["open"], dict(zip(request["names"], tensors)))
            answer({})
        elif "load" in request:
            each = len(tensors) // request["load"]
            loaded.append([tensors[at : at + each] for at in range(0, len(tensors), each)])
            answer({})
        elif "run" in request:
            results = []
            results, milliseconds = run(step, loaded.pop(0))
            answer({"milliseconds": milliseconds})
        elif "results" in request:
            whole = torch.cat([result.detach().flatten() for result in results])
            answer({"elements": whole.numel()}, whole.numpy().tobytes())
        elif "clear" in request:
            results = []
            answer({})


serve()
