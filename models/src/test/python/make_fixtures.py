"""Makes the fixtures of tiny models with random weights, by the classes and configurations of transformers.

    pip install torch transformers
    python models/src/test/python/make_fixtures.py models/src/test/resources/fixtures [name ...]

Each fixture is a folder as on the hub (config.json, model.safetensors), and expected.json: what transformers computes in
float32. Weights come from a seed, so the same versions make the same files.
"""

import json
import pathlib
import sys

import torch
import transformers
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    MixtralConfig,
    Phi3Config,
    Qwen2Config,
    Qwen3Config,
)

VOCABULARY = 64
PROMPT = [1, 17, 33, 5, 60, 2, 9, 41, 8, 27]
SHORT_PROMPT = [3, 50, 12]
NEW_TOKENS = 12

SMALL = dict(
    vocab_size=VOCABULARY,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)

CAUSAL = {
    "llama": LlamaConfig(**SMALL, rms_norm_eps=1e-5),
    "llama3": LlamaConfig(
        **SMALL,
        tie_word_embeddings=True,
        rope_parameters=dict(
            rope_type="llama3",
            rope_theta=10000.0,
            factor=8.0,
            low_freq_factor=1.0,
            high_freq_factor=4.0,
            original_max_position_embeddings=16,
        ),
    ),
    "llama_linear_rope": LlamaConfig(
        **SMALL, attention_bias=True, mlp_bias=True, rope_parameters=dict(rope_type="linear", rope_theta=500.0, factor=2.0)
    ),
    "llama_yarn": LlamaConfig(
        **SMALL,
        rope_parameters=dict(
            rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=16
        ),
    ),
    "mistral": MistralConfig(**SMALL, sliding_window=4, head_dim=8),
    "qwen2": Qwen2Config(**SMALL, tie_word_embeddings=True),
    "qwen3": Qwen3Config(**SMALL, head_dim=8),
    "gemma2": Gemma2Config(
        **SMALL,
        head_dim=8,
        query_pre_attn_scalar=6,
        sliding_window=4,
        attn_logit_softcapping=5.0,
        final_logit_softcapping=3.0,
    ),
    "gemma3": Gemma3TextConfig(
        **{**SMALL, "num_hidden_layers": 3},
        head_dim=8,
        query_pre_attn_scalar=6,
        sliding_window=4,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"],
    ),
    "phi3": Phi3Config(**SMALL),
    "phi3_longrope": Phi3Config(
        **SMALL,
        original_max_position_embeddings=32,
        rope_parameters=dict(
            rope_type="longrope",
            rope_theta=10000.0,
            short_factor=[1.0, 1.5],
            long_factor=[2.0, 3.0],
            original_max_position_embeddings=32,
        ),
    ),
    "mixtral": MixtralConfig(**SMALL, num_local_experts=4, num_experts_per_tok=2),
    "gpt2": GPT2Config(
        vocab_size=VOCABULARY, n_embd=16, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=2, pad_token_id=0
    ),
    "gpt_neox": GPTNeoXConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=64,
        bos_token_id=1,
        eos_token_id=2,
        rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5),
    ),
}


def fill(model, seed):
    """Weights that tell positions and layers apart: with the usual small ones all logits are nearly equal."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            is_norm = parameter.dim() == 1 and name.endswith("weight")
            parameter.copy_(1 + 0.1 * noise if is_norm else 0.3 * noise)


def greedy(model, ids):
    out = list(ids)
    for _ in range(NEW_TOKENS):
        logits = model(torch.tensor([out])).logits[0, -1]
        out.append(int(logits.argmax()))
    return out[len(ids):]


def make_causal(name, config, folder):
    config._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(config).eval().float()
    fill(model, seed=sum(name.encode()))
    model.save_pretrained(folder)
    with torch.no_grad():
        logits = model(torch.tensor([PROMPT])).logits[0]
        expected = dict(
            prompt=PROMPT,
            logits=[[float(f"{x:.9g}") for x in row] for row in logits.tolist()],
            greedy=greedy(model, PROMPT),
            short_prompt=SHORT_PROMPT,
            short_greedy=greedy(model, SHORT_PROMPT),
        )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)


def main(target, names):
    print("torch", torch.__version__, "transformers", transformers.__version__)
    for name, config in CAUSAL.items():
        if names and name not in names:
            continue
        folder = pathlib.Path(target) / name
        folder.mkdir(parents=True, exist_ok=True)
        make_causal(name, config, folder)
        print(name, sum(f.stat().st_size for f in folder.iterdir()), "bytes")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
