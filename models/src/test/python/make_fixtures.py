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
    AutoModel,
    AutoModelForCausalLM,
    BertConfig,
    BertForSequenceClassification,
    CLIPConfig,
    CLIPModel,
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
    RobertaConfig,
    SmolLM3Config,
    T5Config,
    T5ForConditionalGeneration,
    ViTConfig,
    ViTForImageClassification,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
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
    "smollm": LlamaConfig(
        **{**SMALL, "hidden_size": 18, "num_attention_heads": 9, "num_key_value_heads": 3}, tie_word_embeddings=True
    ),
    "smollm3": SmolLM3Config(**{**SMALL, "num_hidden_layers": 4}, no_rope_layer_interval=4, tie_word_embeddings=True),
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


ENCODER = dict(
    vocab_size=VOCABULARY,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    max_position_embeddings=48,
    type_vocab_size=2,
)

ENCODERS = {
    "bert": BertConfig(**ENCODER, pad_token_id=0),
    "minilm": BertConfig(**{**ENCODER, "hidden_size": 24, "num_attention_heads": 12, "num_hidden_layers": 3}, pad_token_id=0),
    "xlm_roberta": XLMRobertaConfig(**{**ENCODER, "type_vocab_size": 1}, pad_token_id=1, layer_norm_eps=1e-5),
    "roberta": RobertaConfig(**{**ENCODER, "type_vocab_size": 1}, pad_token_id=1, layer_norm_eps=1e-5),
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


def make_encoder(name, config, folder):
    config._attn_implementation = "eager"
    model = AutoModel.from_config(config).eval().float()
    fill(model, seed=sum(name.encode()))
    model.save_pretrained(folder)
    pad = config.pad_token_id
    texts = [[x if x > 1 else 3 for x in ids] for ids in (PROMPT, SHORT_PROMPT)]
    ids = [texts[0], texts[1] + [pad] * (len(PROMPT) - len(SHORT_PROMPT))]
    mask = [[1] * len(PROMPT), [1] * len(SHORT_PROMPT) + [0] * (len(PROMPT) - len(SHORT_PROMPT))]
    with torch.no_grad():
        hidden = model(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask)).last_hidden_state
    short = hidden[1, : len(SHORT_PROMPT)]
    rows = [[float(f"{x:.9g}") for x in row] for row in torch.cat([hidden[0], short]).tolist()]
    expected = dict(ids=[ids[0], ids[1][: len(SHORT_PROMPT)]], hidden=rows)
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


SENTENCES = ["The machine reads the model.", "Grüße aus Köln", "A token costs no round trip, and the program reads it."]


def make_embedder(folder):
    """In the layout of sentence-transformers: a mean over tokens, and length 1."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder.parent / "text")
    tokenizer.save_pretrained(folder)
    model = AutoModel.from_config(BertConfig(**{**ENCODER, "vocab_size": len(tokenizer)}, pad_token_id=0)).eval()
    fill(model, seed=5)
    model.save_pretrained(folder)
    modules = ["Transformer", "Pooling", "Normalize"]
    paths = ["", "1_Pooling", "2_Normalize"]
    (folder / "modules.json").write_text(
        json.dumps(
            [
                dict(idx=i, name=str(i), path=paths[i], type="sentence_transformers.models." + modules[i])
                for i in range(3)
            ]
        )
        + "\n"
    )
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps(dict(word_embedding_dimension=16, pooling_mode_cls_token=False, pooling_mode_mean_tokens=True)) + "\n"
    )
    batch = tokenizer(SENTENCES, padding=True, return_tensors="pt")
    mask = batch["attention_mask"].unsqueeze(-1).float()
    with torch.no_grad():
        hidden = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state
    mean = (hidden * mask).sum(1) / mask.sum(1)
    unit = torch.nn.functional.normalize(mean, dim=-1)
    (folder / "expected.json").write_text(json.dumps(dict(texts=SENTENCES, embeddings=unit.tolist())) + "\n")


SMALL_T5 = dict(
    vocab_size=VOCABULARY,
    d_model=16,
    d_kv=4,
    d_ff=24,
    num_layers=2,
    num_heads=4,
    relative_attention_num_buckets=8,
    relative_attention_max_distance=16,
    pad_token_id=0,
    eos_token_id=2,
    decoder_start_token_id=0,
)

SEQ2SEQ = {
    "t5": T5Config(**SMALL_T5),
    "flan_t5": T5Config(**{**SMALL_T5, "num_decoder_layers": 3}, feed_forward_proj="gated-gelu", tie_word_embeddings=False),
}


def numbers(tensor):
    return [float(f"{x:.9g}") for x in tensor.flatten().tolist()]


def make_seq2seq(name, config, folder):
    model = T5ForConditionalGeneration(config).eval().float()
    fill(model, seed=sum(name.encode()))
    model.save_pretrained(folder)
    start = config.decoder_start_token_id

    def continued(prompt):
        out = [start]
        for _ in range(NEW_TOKENS):
            logits = model(input_ids=torch.tensor([prompt]), decoder_input_ids=torch.tensor([out])).logits[0, -1]
            out.append(int(logits.argmax()))
        return out[1:]

    decoded = [start, 5, 9, 33, 7, 41, 3, 12, 20]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([PROMPT]), decoder_input_ids=torch.tensor([decoded])).logits[0]
        expected = dict(
            prompt=PROMPT,
            decoded=decoded,
            logits=numbers(logits),
            greedy=continued(PROMPT),
            short_prompt=SHORT_PROMPT,
            short_greedy=continued(SHORT_PROMPT),
        )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)


def images(count, size, seed):
    return torch.randn((count, 3, size, size), generator=torch.Generator().manual_seed(seed))


def make_vit(folder):
    config = ViTConfig(
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=24,
        image_size=12,
        patch_size=4,
        num_labels=5,
        attn_implementation="eager",
    )
    model = ViTForImageClassification(config).eval()
    fill(model, seed=6)
    model.save_pretrained(folder)
    pixels = images(2, 12, seed=7)
    with torch.no_grad():
        hidden = model.vit(pixels).last_hidden_state
        logits = model(pixels).logits
    expected = dict(pixels=numbers(pixels), hidden=numbers(hidden), logits=numbers(logits))
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


def make_clip(folder):
    shared = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4)
    config = CLIPConfig(
        text_config=dict(
            **shared, vocab_size=VOCABULARY, max_position_embeddings=20, bos_token_id=1, eos_token_id=63, pad_token_id=0
        ),
        vision_config=dict(**shared, image_size=12, patch_size=4),
        projection_dim=8,
    )
    config._attn_implementation = "eager"
    model = CLIPModel(config).eval()
    fill(model, seed=8)
    model.save_pretrained(folder)
    pixels = images(2, 12, seed=9)
    texts = [[1, 17, 33, 5, 60, 63], [1, 9, 63]]
    ids = torch.tensor([texts[0], texts[1] + [0] * 3])
    mask = torch.tensor([[1] * 6, [1] * 3 + [0] * 3])
    with torch.no_grad():
        out = model(input_ids=ids, attention_mask=mask, pixel_values=pixels)
    expected = dict(
        pixels=numbers(pixels),
        texts=texts,
        text_embeds=numbers(out.text_embeds),
        image_embeds=numbers(out.image_embeds),
        logits=numbers(out.logits_per_image),
    )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


QUERY = "Which model does the machine read?"


def make_reranker(name, folder):
    """A cross-encoder: query and text as a pair, one number out."""
    from tokenizers import processors
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder.parent / "text")
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A <|end|>",
        pair="<s> $A <|end|> $B:1 <|end|>:1" if name == "reranker" else "<s> $A <|end|> $B <|end|>",
        special_tokens=[("<s>", 1), ("<|end|>", 2)],
    )
    tokenizer.chat_template = None
    tokenizer.save_pretrained(folder)
    if name == "reranker":
        config = BertConfig(**{**ENCODER, "vocab_size": len(tokenizer)}, pad_token_id=0, num_labels=1)
        model = BertForSequenceClassification(config).eval()
    else:
        settings = {**ENCODER, "vocab_size": len(tokenizer), "type_vocab_size": 1}
        model = XLMRobertaForSequenceClassification(XLMRobertaConfig(**settings, pad_token_id=0, num_labels=1)).eval()
    fill(model, seed=11)
    model.save_pretrained(folder)
    # Positions of the second kind begin behind the padding.
    most = 48 if name == "reranker" else 47
    ids = tokenizer(QUERY, SENTENCES[1])
    with torch.no_grad():
        scores = [
            float(
                model(
                    input_ids=torch.tensor([pair["input_ids"]]),
                    token_type_ids=torch.tensor([pair["token_type_ids"]]) if name == "reranker" else None,
                ).logits[0, 0]
            )
            for pair in (
                tokenizer(QUERY, text, truncation="only_second", max_length=most, return_token_type_ids=True)
                for text in SENTENCES
            )
        ]
    expected = dict(query=QUERY, texts=SENTENCES, ids=ids["input_ids"], scores=scores)
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


# How AutoAWQ's GEMM kernels take eight outputs in a word, the first of them in the lowest bits.
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]


def word(value):
    """A number of 32 bits without a sign as one with a sign."""
    return value - (1 << 32) if value >= 1 << 31 else value


def packed(codes, bits, dim, order=None):
    """Codes along a dimension in words of 32 bits, the first in the lowest bits."""
    lines = codes.transpose(0, dim).tolist()
    per_word = 32 // bits
    rows = []
    for begin in range(0, len(lines), per_word):
        part = [lines[begin + place] for place in (order or range(per_word))]
        rows.append(
            [word(sum(line[column] << i * bits for i, line in enumerate(part))) for column in range(len(part[0]))]
        )
    return torch.tensor(rows, dtype=torch.int32).transpose(0, dim).contiguous()


def quantized(weight, bits, group_of, symmetric):
    """Codes [outputs, inputs], scales and zeros [outputs, groups] by round to nearest, and the weights that they stand for."""
    groups = int(group_of.max()) + 1
    most = (1 << bits) - 1
    scales = torch.empty(weight.shape[0], groups, dtype=torch.float16)
    zeros = torch.empty(weight.shape[0], groups, dtype=torch.int64)
    for group in range(groups):
        part = weight[:, group_of == group]
        if symmetric:
            span = 2 * part.abs().amax(1)
            zeros[:, group] = (most + 1) // 2
        else:
            span = part.amax(1).clamp(min=0) - part.amin(1).clamp(max=0)
        scales[:, group] = (span / most).half()
        if not symmetric:
            # Zeros of GPTQ's first format are stored less one, so none is 0.
            zeros[:, group] = (-part.amin(1).clamp(max=0) / scales[:, group].float()).round().clamp(1, most)
    scale = scales.float()[:, group_of]
    zero = zeros[:, group_of]
    codes = ((weight / scale).round() + zero).clamp(0, most).long()
    return codes, scales, zeros, (codes - zero) * scale


QUANTIZED = {
    # As AutoGPTQ and GPTQModel pack it.
    "gptq": dict(quant_method="gptq", bits=4, group_size=16, desc_act=False, sym=False, checkpoint_format="gptq"),
    "gptq_int8": dict(quant_method="gptq", bits=8, group_size=-1, desc_act=False, sym=True, checkpoint_format="gptq_v2"),
    "gptq_act_order": dict(quant_method="gptq", bits=4, group_size=8, desc_act=True, sym=True, checkpoint_format="gptq"),
    # As AutoAWQ packs it.
    "awq": dict(
        quant_method="awq", bits=4, group_size=16, zero_point=True, version="gemm", modules_to_not_convert=["down_proj"]
    ),
}


def stored(name, weight, how):
    """What a layer is in the file, and the weight that it stands for."""
    inputs = weight.shape[1]
    size = inputs if how["group_size"] == -1 else how["group_size"]
    group_of = torch.arange(inputs) // size
    if how.get("desc_act"):
        group_of = group_of[torch.randperm(inputs, generator=torch.Generator().manual_seed(inputs))]
    codes, scales, zeros, meant = quantized(weight, how["bits"], group_of, how.get("sym", False))
    if how["quant_method"] == "awq":
        parts = dict(
            qweight=packed(codes.T, 4, 1, AWQ_ORDER), qzeros=packed(zeros.T, 4, 1, AWQ_ORDER), scales=scales.T.contiguous()
        )
    else:
        kept = zeros if how["checkpoint_format"] == "gptq_v2" else zeros - 1
        parts = dict(
            qweight=packed(codes.T, how["bits"], 0),
            qzeros=packed(kept.T, how["bits"], 1),
            scales=scales.T.contiguous(),
            g_idx=group_of.int(),
        )
    return {f"{name}.{part}": tensor for part, tensor in parts.items()}, meant


def make_quantized(name, how, folder):
    from safetensors.torch import save_file

    config = LlamaConfig(**{**SMALL, "hidden_size": 32, "intermediate_size": 48}, attention_bias=name == "gptq")
    config._attn_implementation = "eager"
    model = AutoModelForCausalLM.from_config(config).eval().float()
    fill(model, seed=sum(name.encode()))
    tensors = {key: value.half() for key, value in model.state_dict().items()}
    with torch.no_grad():
        for path, module in model.named_modules():
            isLayer = isinstance(module, torch.nn.Linear) and path != "lm_head"
            if isLayer and not any(path.endswith(left) for left in how.get("modules_to_not_convert", [])):
                parts, meant = stored(path, module.weight.detach(), how)
                del tensors[path + ".weight"]
                tensors.update(parts)
                module.weight.copy_(meant)
        # What is not quantized is stored in 16 bits.
        for path, parameter in model.named_parameters():
            if path in tensors:
                parameter.copy_(parameter.half().float())
        logits = model(torch.tensor([PROMPT])).logits[0]
    folder.mkdir(exist_ok=True)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    settings = json.loads(config.to_json_string())
    settings["quantization_config"] = how
    settings["dtype"] = "float16"
    (folder / "config.json").write_text(json.dumps(settings, indent=2) + "\n")
    layer = model.model.layers[0].self_attn.q_proj.weight
    expected = dict(
        prompt=PROMPT,
        logits=[[float(f"{x:.9g}") for x in row] for row in logits.tolist()],
        weight=numbers(layer),
        greedy=greedy(model, PROMPT),
    )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


CORPUS = [
    "The machine reads the model from its store, and the program reads the tokens.",
    "A token costs no round trip. Steps are computed ahead of the tokens that were read.",
    "Grüße aus Köln: naïve café, 5 €, 日本語のテキスト, emoji 🙂🙃 and a tab\t.",
    "def f(x):\n    return x * 2  # twice\n",
]

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>\n' + message['content'] | trim + '<|end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
)


def make_text(folder):
    """A model with a tokenizer: bytes, and what a few merges make of a few sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "<|end|>", "<|user|>", "<|assistant|>", "<|system|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="<|end|>", pad_token="<pad>", chat_template=CHAT_TEMPLATE
    )
    fast.save_pretrained(folder)
    config = LlamaConfig(**{**SMALL, "vocab_size": len(fast)}, tie_word_embeddings=True)
    make_causal("text", config, folder)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    messages = [
        dict(role="system", content=" Be brief. "),
        dict(role="user", content="Was heißt 🙂?"),
    ]
    prompt = "The machine reads"
    ids = fast(prompt)["input_ids"]
    with torch.no_grad():
        out = greedy(model, ids)
    expected = json.loads((folder / "expected.json").read_text())
    expected["texts"] = [dict(text=text, ids=fast(text)["input_ids"]) for text in CORPUS]
    expected["chat"] = dict(
        messages=messages, text=fast.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    )
    expected["completion"] = dict(prompt=prompt, ids=out, text=fast.decode(out, skip_special_tokens=True))
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


BEAMS = [
    dict(model="llama", num_beams=3, max_new_tokens=12, length_penalty=1.0, early_stopping=False, eos_token_id=[2]),
    dict(model="llama", num_beams=4, max_new_tokens=24, length_penalty=1.0, early_stopping=False, eos_token_id=[7, 19, 40]),
    dict(model="llama", num_beams=4, max_new_tokens=24, length_penalty=0.2, early_stopping=True, eos_token_id=[7, 19, 40]),
    dict(model="gpt2", num_beams=5, max_new_tokens=20, length_penalty=2.0, early_stopping=False, eos_token_id=[11, 30]),
    dict(model="qwen3", num_beams=2, max_new_tokens=30, length_penalty=0.0, early_stopping=False, eos_token_id=[5]),
]


def make_beams(target):
    """What beam search of transformers finds."""
    cases = []
    for case in BEAMS:
        model = AutoModelForCausalLM.from_pretrained(pathlib.Path(target) / case["model"]).eval()
        settings = {key: value for key, value in case.items() if key != "model"}
        prompt = PROMPT * 2
        out = model.generate(
            torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            do_sample=False,
            pad_token_id=63,
            num_return_sequences=case["num_beams"],
            output_scores=True,
            return_dict_in_generate=True,
            **settings,
        )
        found = []
        for sequence, score in zip(out.sequences.tolist(), out.sequences_scores.tolist()):
            tokens = sequence[len(prompt):]
            ends = [place for place, token in enumerate(tokens) if token in case["eos_token_id"]]
            found.append(dict(tokens=tokens[: ends[0] + 1] if ends else tokens, score=float(f"{score:.7g}")))
        cases.append(dict(**case, prompt=prompt, found=found))
    (pathlib.Path(target) / "beams.json").write_text(json.dumps(cases) + "\n")


PREPROCESSORS = [
    dict(do_resize=True, size=dict(height=12, width=10), resample=2, do_rescale=True, rescale_factor=1 / 255,
         do_normalize=True, image_mean=[0.5, 0.5, 0.5], image_std=[0.5, 0.5, 0.5]),
    dict(do_resize=True, size=dict(shortest_edge=14), resample=3, do_center_crop=True, crop_size=dict(height=12, width=12),
         do_rescale=True, rescale_factor=1 / 255, do_normalize=True, image_mean=[0.48145466, 0.4578275, 0.40821073],
         image_std=[0.26862954, 0.26130258, 0.27577711]),
    dict(do_resize=True, size=40, resample=3, do_rescale=True, do_normalize=False),
]


def make_preprocessed(target):
    """What Pillow makes of an image, by the steps of transformers' processors: resize, crop, scale, normalise."""
    import numpy
    from PIL import Image

    generator = numpy.random.default_rng(4)
    pixels = generator.integers(0, 256, (23, 31, 3), dtype=numpy.uint8)
    image = Image.fromarray(pixels)
    folder = pathlib.Path(target) / "images"
    folder.mkdir(exist_ok=True)
    image.save(folder / "noise.png")
    cases = []
    for config in PREPROCESSORS:
        size = config["size"]
        if isinstance(size, int):
            wanted = (size, size)
        elif "shortest_edge" in size:
            short, long = min(image.size), max(image.size)
            longest = int(size["shortest_edge"] * long / short)
            wanted = (longest, size["shortest_edge"]) if image.width > image.height else (size["shortest_edge"], longest)
        else:
            wanted = (size["width"], size["height"])
        out = numpy.asarray(image.resize(wanted, config["resample"]))
        if config.get("do_center_crop"):
            height, width = config["crop_size"]["height"], config["crop_size"]["width"]
            top, left = (out.shape[0] - height) // 2, (out.shape[1] - width) // 2
            out = out[top : top + height, left : left + width]
        out = out * config.get("rescale_factor", 1 / 255)
        if config["do_normalize"]:
            out = (out - numpy.array(config["image_mean"])) / numpy.array(config["image_std"])
        out = out.transpose(2, 0, 1)
        cases.append(dict(config=config, shape=list(out.shape), pixels=[float(f"{x:.7g}") for x in out.flatten()]))
    (folder / "expected.json").write_text(json.dumps(cases) + "\n")


def outputs(name, folder, dtype):
    """What the tests compare of a fixture, computed in a dtype, as float32."""
    expected = json.loads((folder / "expected.json").read_text())
    load = dict(dtype=dtype, attn_implementation="eager")
    with torch.no_grad():
        if name in CAUSAL:
            model = AutoModelForCausalLM.from_pretrained(folder, **load).eval()
            return model(torch.tensor([PROMPT])).logits.float().flatten()
        if name in SEQ2SEQ:
            model = T5ForConditionalGeneration.from_pretrained(folder, dtype=dtype).eval()
            ids = torch.tensor([expected["prompt"]])
            return model(input_ids=ids, decoder_input_ids=torch.tensor([expected["decoded"]])).logits.float().flatten()
        if name in ENCODERS:
            model = AutoModel.from_pretrained(folder, **load).eval()
            return torch.cat(
                [model(input_ids=torch.tensor([ids])).last_hidden_state.float().flatten() for ids in expected["ids"]]
            )
        pixels = torch.tensor(expected["pixels"]).reshape(2, 3, 12, 12).to(dtype)
        if name == "vit":
            return ViTForImageClassification.from_pretrained(folder, **load).eval()(pixels).logits.float().flatten()
        model = CLIPModel.from_pretrained(folder, **load).eval()
        features = model.get_image_features(pixel_values=pixels)
        # Newer versions return the model's output with the projection within.
        features = getattr(features, "pooler_output", features)
        return torch.nn.functional.normalize(features.float(), dim=-1).flatten()


def make_deviations(target):
    """How far 16 bits are from float32 in transformers, which is what a tolerance can be taken from."""
    deviations = {}
    for name in [*CAUSAL, *ENCODERS, *SEQ2SEQ, "vit", "clip"]:
        folder = pathlib.Path(target) / name
        exact = outputs(name, folder, torch.float32)
        deviations[name] = {}
        for dtype in (torch.bfloat16, torch.float16):
            difference = outputs(name, folder, dtype) - exact
            deviations[name][str(dtype).removeprefix("torch.")] = dict(
                max=float(f"{difference.abs().max():.3g}"), rms=float(f"{difference.square().mean().sqrt():.3g}")
            )
    (pathlib.Path(target) / "deviations.json").write_text(json.dumps(deviations, indent=1) + "\n")


def main(target, names):
    print("torch", torch.__version__, "transformers", transformers.__version__)
    for name, config in CAUSAL.items():
        if names and name not in names:
            continue
        folder = pathlib.Path(target) / name
        folder.mkdir(parents=True, exist_ok=True)
        make_causal(name, config, folder)
        print(name, sum(f.stat().st_size for f in folder.iterdir()), "bytes")
    for name, config in ENCODERS.items():
        if not names or name in names:
            folder = pathlib.Path(target) / name
            folder.mkdir(parents=True, exist_ok=True)
            make_encoder(name, config, folder)
    others = {
        "text": make_text,
        "embedder": make_embedder,
        "vit": make_vit,
        "clip": make_clip,
        "reranker": lambda folder: make_reranker("reranker", folder),
        "xlm_reranker": lambda folder: make_reranker("xlm_reranker", folder),
    }
    for name, how in QUANTIZED.items():
        others[name] = lambda folder, name=name, how=how: make_quantized(name, how, folder)
    for name, config in SEQ2SEQ.items():
        others[name] = lambda folder, name=name, config=config: make_seq2seq(name, config, folder)
    for name, make in others.items():
        if not names or name in names:
            folder = pathlib.Path(target) / name
            folder.mkdir(parents=True, exist_ok=True)
            make(folder)
    if not names or "images" in names:
        make_preprocessed(target)
    if not names or "beams" in names:
        make_beams(target)
    if not names or "deviations" in names:
        make_deviations(target)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
