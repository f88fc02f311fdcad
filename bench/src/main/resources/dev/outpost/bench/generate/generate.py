"""transformers with PyTorch, eager, in float32: a line of texts, prompt tokens and new tokens in, rates out."""

import sys
import time

import torch
import transformers
from transformers import AutoModelForCausalLM

torch.set_num_threads(int(sys.argv[2]))
model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32).eval()
print("ready torch", torch.__version__, "transformers", transformers.__version__, flush=True)
for line in sys.stdin:
    texts, prompt, new = map(int, line.split())
    ids = torch.randint(1, model.config.vocab_size, (texts, prompt))
    with torch.no_grad():
        begin = time.perf_counter_ns()
        out = model(input_ids=ids, use_cache=True, logits_to_keep=1)
        token = out.logits[:, -1:].argmax(-1)
        first = time.perf_counter_ns()
        for _ in range(new - 1):
            out = model(input_ids=token, past_key_values=out.past_key_values, use_cache=True)
            token = out.logits[:, -1:].argmax(-1)
        end = time.perf_counter_ns()
    print("rates", texts * prompt, first - begin, texts * (new - 1), end - first, flush=True)
