"""Makes the fixtures of adapters, by PEFT on the models that make_fixtures.py made.

    pip install torch transformers peft
    python models/src/test/python/make_adapters.py models/src/test/resources/fixtures

Each is a folder as PEFT saves it (adapter_config.json, adapter_model.safetensors), and expected.json: logits with the adapter and with
the adapter merged, and the losses, norms of gradients and learning rates of some steps of training, all in float32.
"""

import json
import math
import pathlib
import shutil
import sys

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

PROMPT = [1, 17, 33, 5, 60, 2, 9, 41, 8, 27]
STEPS = 8
WARMUP = 2
ACCUMULATION = 2
ROWS = 2
TOKENS = 12

ADAPTERS = {
    "peft_llama": ("llama", dict(r=4, lora_alpha=16, target_modules=["q_proj", "v_proj", "down_proj"])),
    "peft_gpt2": ("gpt2", dict(r=3, lora_alpha=6, target_modules=["c_attn", "c_fc"], fan_in_fan_out=True, use_rslora=True)),
}


def batches():
    """Rows of tokens that follow from a formula, so that the test makes them, too; every third label counts for nothing."""
    for step in range(STEPS):
        group = []
        for micro in range(ACCUMULATION):
            ids = torch.tensor(
                [[(7 * row + 3 * token * token + 11 * step + 5 * micro) % 64 for token in range(TOKENS)] for row in range(ROWS)]
            )
            labels = torch.tensor(
                [
                    [-100 if token % 3 == 0 else (ids[row, token].item() * 5 + token) % 64 for token in range(TOKENS)]
                    for row in range(ROWS)
                ]
            )
            group.append((ids, labels))
        yield group


def rate(step):
    """Linear warm-up, then a half cosine to zero."""
    if step < WARMUP:
        return step / WARMUP
    return 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


def train(model):
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    losses, norms, rates = [], [], []
    for group in batches():
        count = sum((labels != -100).sum().item() for _, labels in group)
        total = 0.0
        for ids, labels in group:
            logits = model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
            loss = torch.nn.functional.cross_entropy(logits.reshape(-1, 64), labels.reshape(-1), reduction="sum") / count
            loss.backward()
            total += loss.item()
        norm = torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 0.5)
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        losses.append(total)
        norms.append(norm.item())
    return dict(losses=losses, norms=norms, rates=rates)


def logits(model):
    ids = torch.tensor([PROMPT])
    with torch.no_grad():
        return model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0].tolist()


def main(folder):
    for name, (base, settings) in ADAPTERS.items():
        torch.manual_seed(11)
        model = AutoModelForCausalLM.from_pretrained(folder / base, dtype=torch.float32, attn_implementation="eager")
        model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **settings))
        model.eval()
        for parameter_name, parameter in model.named_parameters():
            if "lora_" in parameter_name:
                parameter.data = torch.randn_like(parameter) * 0.2
        target = folder / name
        shutil.rmtree(target, ignore_errors=True)
        model.save_pretrained(target)
        (target / "README.md").unlink(missing_ok=True)
        config = json.loads((target / "adapter_config.json").read_text())
        config["base_model_name_or_path"] = base
        (target / "adapter_config.json").write_text(json.dumps(config, indent=2, sort_keys=True))
        expected = dict(prompt=PROMPT, logits=logits(model))
        expected["training"] = train(model)
        expected["trained_logits"] = logits(model)
        expected["merged_logits"] = logits(model.merge_and_unload())
        (target / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
