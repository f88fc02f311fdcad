"""Makes the fixtures that torch.save and the tokenizers before tokenizer.json wrote.

    pip install torch transformers sentencepiece safetensors sentence-transformers
    python models/src/test/python/make_torch_fixtures.py

State dicts go to protocol/src/test/resources/torch and, some, to gpu-runtime/sources; a model in torch's layout and tokenizers to models/src/test/resources/fixtures.
Bytes differ a little from one version of torch to the next; what the tests read from them does not.
"""

import json
import pathlib
import random

import sentencepiece
import torch
from safetensors.torch import load_file
from transformers import BertTokenizer, GPT2Tokenizer, Qwen2Tokenizer, RobertaTokenizer

HERE = pathlib.Path(__file__).resolve().parents[4]
STATES = HERE / "protocol/src/test/resources/torch"
SOURCES = HERE / "gpu-runtime/sources/src/test/resources/torch"
FIXTURES = HERE / "models/src/test/resources/fixtures"

TEXTS = [
    "The machine reads the model.",
    "Grüße aus Köln, 12345 tokens!",
    "  two  blanks and\na line\tand a tab ",
    "它读取模型 and ÀÉ",
    "I'm here; it's the model's 2nd test 🙂",
    "",
    "a",
]


def make_states():
    STATES.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.arange(parameter.numel()).reshape(parameter.shape) + 0.5)
    for name, options in (
        ("module", {}),
        ("protocol4", dict(pickle_protocol=4)),
        ("protocol5", dict(pickle_protocol=5)),
        ("legacy", dict(_use_new_zipfile_serialization=False)),
    ):
        torch.save(module.state_dict(), STATES / f"{name}.bin", **options)
    shared = torch.arange(12.0)
    views = dict(
        parameter=torch.nn.Parameter(torch.tensor([1.0, -2.0])),
        transposed=torch.arange(6.0).reshape(2, 3).t(),
        expanded=torch.tensor([7.0]).expand(3),
        middle=shared[4:8].reshape(2, 2),
        steps=shared[::3],
        cube=torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
        scalar=torch.tensor(3, dtype=torch.int64),
        empty=torch.zeros(0, 5),
        all=shared,
    )
    torch.save(views, STATES / "views.bin")
    plain = {name: [float(x) for x in tensor.detach().flatten().tolist()] for name, tensor in views.items()}
    shapes = {name: list(tensor.shape) for name, tensor in views.items()}
    (STATES / "views.json").write_text(json.dumps(dict(values=plain, shapes=shapes)) + "\n")
    dtypes = dict(
        float64=torch.tensor([1.5], dtype=torch.float64),
        float16=torch.tensor([1.5], dtype=torch.float16),
        bfloat16=torch.tensor([1.5], dtype=torch.bfloat16),
        int32=torch.tensor([-3], dtype=torch.int32),
        int16=torch.tensor([-3], dtype=torch.int16),
        int8=torch.tensor([-3], dtype=torch.int8),
        uint8=torch.tensor([200], dtype=torch.uint8),
        bool=torch.tensor([True, False]),
        float8=torch.ones(2).to(torch.float8_e4m3fn),
        uint16=torch.ones(2).to(torch.uint16),
        complex=torch.ones(1, dtype=torch.complex64),
    )
    torch.save(dtypes, STATES / "dtypes.bin")
    torch.save(dict(state_dict=module.state_dict(), epoch=3), STATES / "training.bin")
    torch.save(module, STATES / "object.bin")
    torch.jit.script(module).save(str(STATES / "script.bin"))


def make_model():
    """The fixture llama, whose expected.json tests compare with, in two of torch's files."""
    folder = FIXTURES / "llama_torch"
    folder.mkdir(exist_ok=True)
    tensors = load_file(FIXTURES / "llama/model.safetensors")
    names = sorted(tensors)
    halves = [names[: len(names) // 2], names[len(names) // 2 :]]
    index = dict(metadata={}, weight_map={})
    for number, half in enumerate(halves, 1):
        file = f"pytorch_model-{number:05d}-of-00002.bin"
        torch.save({name: tensors[name] for name in half}, folder / file)
        index["weight_map"].update({name: file for name in half})
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps(index) + "\n")
    for file in ("config.json", "expected.json"):
        (folder / file).write_text((FIXTURES / "llama" / file).read_text())


def corpus():
    words = (
        "the machine reads model token text program value round trip costs no and a of in it is one two "
        "reader reading models machines tokens Grüße Köln aus und 它 读取 模型 123 45 6789 I'm it's test here"
    ).split()
    generator = random.Random(5)
    return [" ".join(generator.choices(words, k=12)) + "." for _ in range(400)]


def make_sentence_pieces():
    options = dict(normalization_rule_name="identity", remove_extra_whitespaces=False, byte_fallback=True, split_digits=True)
    options["vocab_size"] = 420
    train(
        "tokenizer_llama",
        "bpe",
        dict(tokenizer_class="LlamaTokenizer", bos_token=dict(content="<s>"), eos_token="</s>", unk_token="<unk>"),
        lambda ids: [1] + ids,
        **options,
    )
    train(
        "tokenizer_gemma",
        "bpe",
        dict(tokenizer_class="GemmaTokenizer", bos_token="<bos>", eos_token="<eos>", unk_token="<unk>", pad_token="<pad>"),
        lambda ids: [2] + ids,
        **{**options, "vocab_size": 430},
        add_dummy_prefix=False,
        pad_id=0,
        eos_id=1,
        bos_id=2,
        unk_id=3,
        pad_piece="<pad>",
        eos_piece="<eos>",
        bos_piece="<bos>",
        user_defined_symbols=["<start_of_turn>", "\n", "\t", "  "],
    )
    train("tokenizer_t5", "unigram", dict(tokenizer_class="T5Tokenizer", extra_ids=4), lambda ids: ids + [1],
          vocab_size=80, pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    train("tokenizer_xlm", "unigram", dict(tokenizer_class="XLMRobertaTokenizer"),
          lambda ids: [0] + [3 if i == 0 else i + 1 for i in ids] + [2], vocab_size=80)


def train(name, model_type, config, ids, **options):
    folder = FIXTURES / name
    folder.mkdir(exist_ok=True)
    file = {"tokenizer_xlm": "sentencepiece.bpe.model", "tokenizer_t5": "spiece.model"}.get(name, "tokenizer.model")
    text = folder / "corpus.txt"
    text.write_text("\n".join(corpus()))
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / "m"), model_type=model_type, num_threads=1, minloglevel=2, **options
    )
    text.unlink()
    (folder / "m.vocab").unlink()
    (folder / "m.model").rename(folder / file)
    (folder / "tokenizer_config.json").write_text(json.dumps(config) + "\n")
    (folder / "config.json").write_text(json.dumps(dict(model_type="none")) + "\n")
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / file))
    expected = [dict(text=t, ids=ids(processor.encode(t)), decoded=processor.decode(processor.encode(t))) for t in TEXTS]
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


def make_words():
    from tokenizers import BertWordPieceTokenizer, ByteLevelBPETokenizer

    folder = FIXTURES / "tokenizer_bert"
    folder.mkdir(exist_ok=True)
    words = BertWordPieceTokenizer()
    words.train_from_iterator(corpus(), vocab_size=150, min_frequency=1, show_progress=False)
    words.save_model(str(folder))
    write(folder, BertTokenizer(vocab=str(folder / "vocab.txt")), dict(tokenizer_class="BertTokenizer"))
    cased = FIXTURES / "tokenizer_bert_cased"
    cased.mkdir(exist_ok=True)
    words = BertWordPieceTokenizer(lowercase=False, strip_accents=False)
    words.train_from_iterator(corpus(), vocab_size=150, min_frequency=1, show_progress=False)
    words.save_model(str(cased))
    write(
        cased,
        BertTokenizer(vocab=str(cased / "vocab.txt"), do_lower_case=False),
        dict(tokenizer_class="BertTokenizerFast", do_lower_case=False),
    )
    for name, kind, special in (
        ("gpt2", GPT2Tokenizer, ["<|endoftext|>"]),
        ("qwen2", Qwen2Tokenizer, ["<|endoftext|>"]),
        ("roberta", RobertaTokenizer, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]),
    ):
        folder = FIXTURES / f"tokenizer_{name}"
        folder.mkdir(exist_ok=True)
        pairs = ByteLevelBPETokenizer()
        pairs.train_from_iterator(corpus(), vocab_size=330, min_frequency=2, special_tokens=special, show_progress=False)
        pairs.save_model(str(folder))
        tokenizer = kind(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
        write(folder, tokenizer, dict(tokenizer_class=kind.__name__))


def write(folder, tokenizer, config):
    (folder / "tokenizer_config.json").write_text(json.dumps(config) + "\n")
    (folder / "config.json").write_text(json.dumps(dict(model_type="none")) + "\n")
    expected = []
    for text in TEXTS:
        ids = tokenizer(text)["input_ids"]
        expected.append(
            dict(
                text=text,
                ids=ids,
                decoded=tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False),
            )
        )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


def make_modes():
    """An encoder in the layout of sentence-transformers whose texts are cut, with each pooling."""
    import shutil
    import tempfile

    from sentence_transformers import SentenceTransformer
    from tokenizers import processors
    from transformers import AutoTokenizer

    folder = FIXTURES / "embedder_modes"
    folder.mkdir(exist_ok=True)
    for file in ("config.json", "model.safetensors"):
        shutil.copy(FIXTURES / "embedder" / file, folder / file)
    tokenizer = AutoTokenizer.from_pretrained(FIXTURES / "embedder")
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A <|end|>", pair="<s> $A <|end|> $B:1 <|end|>:1", special_tokens=[("<s>", 1), ("<|end|>", 2)]
    )
    tokenizer.chat_template = None
    tokenizer.save_pretrained(folder)
    texts = ["A token costs no round trip, and the program reads it.", "The MACHINE"]
    expected = dict(texts=texts, modes=[])
    legacy = ("cls_token", "max_tokens", "mean_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken")
    poolings = [{f"pooling_mode_{mode}": mode == one for mode in legacy} for one in legacy]
    poolings.append({f"pooling_mode_{mode}": mode in ("cls_token", "mean_tokens", "max_tokens") for mode in legacy})
    poolings += [dict(pooling_mode="lasttoken"), dict(pooling_mode=["mean", "cls"])]
    for number, pooling in enumerate(poolings):
        bert = [dict(max_seq_length=12, do_lower_case=number % 2 == 1), dict(max_seq_length=None), {}][number % 3]
        modules = ["Transformer", "Pooling"] + (["Normalize"] if number % 2 else [])
        with tempfile.TemporaryDirectory() as name:
            model = pathlib.Path(name)
            for file in folder.iterdir():
                if file.name != "expected.json":
                    shutil.copy(file, model / file.name)
            listed = [
                dict(idx=i, name=str(i), path=["", "1_Pooling", "2_Normalize"][i], type="sentence_transformers.models." + m)
                for i, m in enumerate(modules)
            ]
            (model / "modules.json").write_text(json.dumps(listed))
            (model / "sentence_bert_config.json").write_text(json.dumps(bert))
            (model / "1_Pooling").mkdir()
            (model / "1_Pooling/config.json").write_text(json.dumps(dict(word_embedding_dimension=16, **pooling)))
            (model / "2_Normalize").mkdir()
            made = SentenceTransformer(str(model), device="cpu")
            vectors = made.encode(texts, batch_size=2)
            cut = made.tokenize(texts[:1])["input_ids"][0].tolist()
        expected["modes"].append(
            dict(pooling=pooling, bert=bert, modules=listed, ids=cut, vectors=[[float(f"{x:.9g}") for x in v] for v in vectors])
        )
    (folder / "expected.json").write_text(json.dumps(expected) + "\n")


make_states()
SOURCES.mkdir(parents=True, exist_ok=True)
for name in ("module", "views", "dtypes", "object"):
    (SOURCES / f"{name}.bin").write_bytes((STATES / f"{name}.bin").read_bytes())
make_model()
make_sentence_pieces()
make_words()
make_modes()
