"""What Works.java computes, by PyTorch on the same GPU: a line of JSON for each figure, flushed. Peer.java reads them.

The arguments are the sizes and the names of the works as JSON. What compiles comes last, for it takes longest and may be cut off.
"""
import json
import sys
import time


def tell(**what):
    print(json.dumps(what), flush=True)


try:
    import torch
    import torch.nn.functional as F
except ImportError:
    tell(reason="python3 has no PyTorch here")
    sys.exit()
if not torch.cuda.is_available():
    tell(reason="PyTorch " + torch.__version__ + " sees no GPU")
    sys.exit()

SIZES, WANTED = json.loads(sys.argv[1]), json.loads(sys.argv[2])
SECONDS = 0.5
LAYERS, HEADS, VOCABULARY = 4, 8, 256
ROWS, WIDTH, TOKENS, BATCH = SIZES["rows"], SIZES["width"], SIZES["tokens"], SIZES["batch"]
torch.set_default_device("cuda")


def randn(dtype, *shape):
    return torch.randn(shape, dtype=dtype)


def product(size, dtype):
    a, b = randn(dtype, size, size), randn(dtype, size, size)
    return lambda compiled: lambda: torch.matmul(a, b)


def forward(function, *inputs):
    return lambda compiled: lambda: compiled(function)(*inputs)


def both_ways(function, leaves, gradient=None):
    """A function and its gradient by its leaves."""
    for leaf in leaves:
        leaf.requires_grad_()

    def prepared(compiled):
        there = compiled(function)

        def step():
            for leaf in leaves:
                leaf.grad = None
            there(*leaves).backward(gradient)

        return step

    return prepared


def chain(x):
    return x.neg().abs().sqrt().exp().tanh().sigmoid().floor().relu()


def matrix():
    return randn(torch.bfloat16, ROWS, ROWS)


def softmax():
    return both_ways(lambda x: x.softmax(-1), [matrix()], matrix())


def layer_norm():
    weight, bias = torch.ones(ROWS, dtype=torch.bfloat16), torch.zeros(ROWS, dtype=torch.bfloat16)
    return both_ways(lambda x, w, b: F.layer_norm(x, (ROWS,), w, b), [matrix(), weight, bias], matrix())


def cross_entropy():
    target = torch.randint(0, ROWS, (ROWS,))
    return both_ways(lambda x: F.cross_entropy(x, target), [matrix()])


def heads(features):
    return randn(torch.bfloat16, 1, SIZES["heads"], SIZES["sequence"], features)


def attend(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)


def attention(features):
    return forward(attend, heads(features), heads(features), heads(features))


def attention_and_gradient(features):
    return both_ways(attend, [heads(features), heads(features), heads(features)], heads(features))


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.mixed, self.joined = torch.nn.Linear(WIDTH, 3 * WIDTH), torch.nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        parts = [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.mixed(self.before(x)).chunk(3, -1)]
        x = x + self.joined(attend(*parts).transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


def training(model, optimizer, inputs, target):
    def prepared(compiled):
        loss_of = compiled(lambda x, y: F.cross_entropy(model(x).reshape(y.shape[0], -1), y))

        def step():
            optimizer.zero_grad()
            loss_of(inputs, target).backward()
            optimizer.step()

        return step

    return prepared


def mlp():
    model = torch.nn.Sequential(torch.nn.Linear(784, 2 * WIDTH), torch.nn.ReLU(), torch.nn.Linear(2 * WIDTH, 10))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    return training(model, optimizer, torch.rand(64, 784), torch.randint(0, 10, (64,)))


def transformer():
    blocks = [Block() for _ in range(LAYERS)]
    ends = [torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, VOCABULARY)]
    model = torch.nn.Sequential(torch.nn.Embedding(VOCABULARY, WIDTH), *blocks, *ends)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4, weight_decay=0.01)
    inputs = torch.randint(0, VOCABULARY, (BATCH, TOKENS))
    return training(model, optimizer, inputs, torch.randint(0, VOCABULARY, (BATCH * TOKENS,)))


def language_model(shape):
    """transformers' model with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=shape["vocabulary"], hidden_size=shape["hidden"], intermediate_size=shape["inner"],
        num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"], num_key_value_heads=shape["groups"],
        head_dim=shape["features"], max_position_embeddings=2 * shape["context"], tie_word_embeddings=True)
    torch.set_default_dtype(torch.bfloat16)
    try:
        return LlamaForCausalLM(config).eval()
    finally:
        torch.set_default_dtype(torch.float32)


def prefill(shape):
    model, ids = language_model(shape), torch.arange(shape["context"]).remainder(shape["vocabulary"])[None]

    def step():
        with torch.inference_mode():
            model(ids, logits_to_keep=1).logits.argmax(-1)

    return lambda compiled: step


def decode(shape):
    """The token behind a context that is full."""
    model, past = language_model(shape), shape["context"] - 1
    with torch.inference_mode():
        cache = model(torch.ones((1, past), dtype=torch.int64), logits_to_keep=1).past_key_values
    one = torch.ones((1, 1), dtype=torch.int64)

    def step():
        with torch.inference_mode():
            model(one, past_key_values=cache, logits_to_keep=1).logits.argmax(-1)
            cache.crop(-1)

    return lambda compiled: step


CONCURRENT = [1, 16, 64]


def serve(shape, texts):
    """For each new token of a whole batch, half of whose contexts are prompts: a token of the prompt, and a step."""
    model, half = language_model(shape), shape["context"] // 2
    prompts = torch.arange(texts * half).remainder(shape["vocabulary"]).reshape(texts, half)

    def seconds(step, count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) / count

    with torch.inference_mode():
        def prompt():
            return model(prompts, logits_to_keep=1).past_key_values

        past = model(prompts.repeat(1, 2)[:, :half + half // 2], logits_to_keep=1).past_key_values
        one = torch.ones((texts, 1), dtype=torch.int64)

        def step():
            model(one, past_key_values=past, logits_to_keep=1).logits.argmax(-1)
            past.crop(-1)

        seconds(prompt, 1), seconds(step, 4)
        return 1e3 * (seconds(prompt, 3) / half + seconds(step, 20))


def vllm_model(shape):
    """vLLM's model with random weights, or None where it is not there."""
    try:
        from vllm import LLM
    except ImportError:
        return None
    import tempfile
    folder = tempfile.mkdtemp()
    with open(folder + "/config.json", "w") as config:
        json.dump(dict(
            architectures=["LlamaForCausalLM"], model_type="llama", vocab_size=shape["vocabulary"],
            hidden_size=shape["hidden"], intermediate_size=shape["inner"], num_hidden_layers=shape["layers"],
            num_attention_heads=shape["heads"], num_key_value_heads=shape["groups"], head_dim=shape["features"],
            max_position_embeddings=2 * shape["context"], rms_norm_eps=1e-5, rope_theta=1e4, hidden_act="silu",
            tie_word_embeddings=True, bos_token_id=0, eos_token_id=0, torch_dtype="bfloat16"), config)
    return LLM(folder, load_format="dummy", skip_tokenizer_init=True, dtype="bfloat16",
               max_model_len=shape["context"], max_num_seqs=max(CONCURRENT), gpu_memory_utilization=0.6,
               enable_prefix_caching=False)


def vllm_milliseconds(model, shape, texts):
    """For each new token of so many texts, half of whose contexts are prompts."""
    from vllm import SamplingParams

    half = shape["context"] // 2
    prompts = [{"prompt_token_ids": [(text + place) % shape["vocabulary"] for place in range(half)]}
               for text in range(texts)]
    rule = SamplingParams(temperature=0, max_tokens=half, ignore_eos=True, detokenize=False)
    start = time.perf_counter()
    model.generate(prompts, rule, use_tqdm=False)
    return 1e3 * (time.perf_counter() - start) / half


WORKS = {
    "product-bfloat16-large": lambda: product(SIZES["largeMatrix"], torch.bfloat16),
    "product-bfloat16": lambda: product(SIZES["matrix"], torch.bfloat16),
    "product-float32": lambda: product(SIZES["matrix"], torch.float32),
    "chain-of-8": lambda: forward(chain, randn(torch.float32, SIZES["chain"])),
    "softmax": softmax,
    "layer-norm": layer_norm,
    "cross-entropy": cross_entropy,
    "attention-64": lambda: attention(64),
    "attention-and-gradient-64": lambda: attention_and_gradient(64),
    "attention-128": lambda: attention(128),
    "attention-and-gradient-128": lambda: attention_and_gradient(128),
    "mlp": mlp,
    "transformer": transformer,
}
for shape in SIZES["models"]:
    WORKS["decode-" + shape["name"]] = lambda shape=shape: decode(shape)
    WORKS["prefill-" + shape["name"]] = lambda shape=shape: prefill(shape)
COMPILED = ["softmax", "layer-norm", "cross-entropy", "mlp", "transformer"]


def milliseconds(step):
    def run(count):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            step()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) / count

    run(4)
    return 1e3 * run(int(min(500, max(3, SECONDS / run(1)))))


def measure(name, variant, compiled):
    try:
        tell(name=name, variant=variant, milliseconds=milliseconds(WORKS[name]()(compiled)))
    except Exception as problem:
        tell(reason=name + ", " + variant + ": " + str(problem).splitlines()[0])
    torch.cuda.empty_cache()


def measure_served(variant, shape, milliseconds_of):
    for texts in CONCURRENT:
        name = "serve-" + shape["name"] + "-" + str(texts)
        if name not in WANTED:
            continue
        try:
            tell(name=name, variant=variant, milliseconds=milliseconds_of(texts))
        except Exception as problem:
            tell(reason=name + ", " + variant + ": " + str(problem).splitlines()[0])
        torch.cuda.empty_cache()


tell(version="PyTorch " + torch.__version__)
for work in filter(WANTED.__contains__, WORKS):
    measure(work, "eager", lambda function: function)
for work in filter(WANTED.__contains__, COMPILED):
    measure(work, "compiled", torch.compile)
for shape in SIZES["served"]:
    measure_served("eager", shape, lambda texts: serve(shape, texts))
# What starts slowest comes last. Its weights are given back before the next model's are made.
for shape in SIZES["served"]:
    if not any(name.startswith("serve-" + shape["name"] + "-") for name in WANTED):
        continue
    try:
        served = vllm_model(shape)
    except Exception as problem:
        served = None
        tell(reason="vLLM: " + str(problem).splitlines()[0])
    if served is not None:
        vllm_milliseconds(served, shape, 1)
        measure_served("vLLM", shape, lambda texts: vllm_milliseconds(served, shape, texts))
        del served
        torch.cuda.empty_cache()
