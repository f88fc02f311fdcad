"""Packs a part of ONNX's own node tests into one archive: for each a model, its inputs and its outputs, as the package has them. Beside
it, census.txt says how many tests there are and why others are left out.

Run with onnx 1.17.0 installed, whose package has them: python export_nodes.py ../resources/nodes/nodes.zip
With --all behind that, tests of an operator that has three already, and large ones, are packed, too.
"""

import collections
import sys
import zipfile
from pathlib import Path

import onnx
from onnx import TensorProto

MOST_BYTES = 12_000
MOST_OF_AN_OPERATOR = 3
# What Outpost's tensors can be.
DTYPES = {
    TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.INT64, TensorProto.INT32,
    TensorProto.INT16, TensorProto.INT8, TensorProto.UINT8, TensorProto.BOOL,
}
# Operators whose results are not determined, whose shapes depend on data, or that the executor leaves to others.
LEFT_OUT = {
    "Bernoulli", "RandomNormalLike", "RandomUniformLike", "Dropout", "NonZero", "Unique", "Compress", "NonMaxSuppression",
    "If", "Loop", "Scan", "SequenceMap", "ImageDecoder", "StringNormalizer", "TfIdfVectorizer", "Adam", "Adagrad", "Momentum",
    "Gradient", "LinearClassifier", "TreeEnsemble", "LabelEncoder", "ArrayFeatureExtractor", "Binarizer", "DFT", "STFT",
    "MelWeightMatrix", "BlackmanWindow", "HannWindow", "HammingWindow", "RotaryEmbedding", "RMSNormalization", "TensorScatter",
    "AffineGrid", "DeformConv", "Attention", "Swish", "BitCast", "CumProd",
}
# What ONNX Runtime 1.26 lacks, or computes otherwise than ONNX's reference does.
OF_OTHERS = (
    "test_clip_default_int8_max_expanded",
    "test_clip_default_int8_min_expanded",
    "test_max_int16",
    "test_min_int16",
    "test_qlinearmatmul_2D_int8",
    "test_qlinearmatmul_3D_int8",
    "test_quantizelinear_blocked_symmetric",
    "test_resize_downsample_scales_cubic_align_corners",
    "test_resize_downsample_scales_linear_align_corners",
)
NEWEST_OPERATORS = 21
NEWEST_FORMAT = 10


def tensor(path):
    value = TensorProto()
    value.ParseFromString(path.read_bytes())
    return value


def is_tensor(info):
    return info.type.HasField("tensor_type") and info.type.tensor_type.elem_type in DTYPES


def reason(folder, model):
    """Why a test cannot run here; nothing where it can."""
    graph = model.graph
    data = folder / "test_data_set_0"
    if any(each.domain not in ("", "ai.onnx") for each in model.opset_import):
        return "operators of another domain (training, machine learning)"
    if max(each.version for each in model.opset_import) > NEWEST_OPERATORS or model.ir_version > NEWEST_FORMAT:
        return "newer than version 21 of the operators or 10 of the format"
    if any(name in folder.name for name in ("float8", "int4", "bfloat16")):
        return "elements of 4 or 8 bits, or bfloat16, which the test data do not hold as the format says"
    if any(name in folder.name for name in ("training", "sequence", "optional", "string")):
        return "sequences, optional values, texts, or training"
    if any(node.op_type in LEFT_OUT for node in graph.node) or model.functions:
        return "results that are not determined, shapes that depend on data, control flow, or operators that the executor lacks"
    if not graph.input or not all(is_tensor(each) for each in [*graph.input, *graph.output]):
        return "no inputs, or inputs and outputs of dtypes that Outpost does not have"
    if not data.is_dir() or len(list(data.glob("input_*.pb"))) != len(graph.input):
        return "inputs that are left out"
    if folder.name.startswith(OF_OTHERS):
        return "ONNX Runtime lacks it, or computes otherwise than ONNX's reference"
    return None


def is_small(folder):
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) <= MOST_BYTES


def pack(archive, folder):
    for file in [folder / "model.onnx", *sorted((folder / "test_data_set_0").glob("*.pb"))]:
        # A fixed date makes equal archives of equal files.
        entry = zipfile.ZipInfo(f"{folder.name[5:]}/{file.name}", (2026, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, file.read_bytes())


def kind(folder, model):
    if "_expanded" in folder.name:
        return "+" + folder.name[5:].split("_")[0]
    return model.graph.node[0].op_type


def main(target, takes_all):
    root = Path(onnx.__file__).parent / "backend" / "test" / "data" / "node"
    taken = collections.Counter()
    census = collections.Counter()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for folder in sorted(each for each in root.iterdir() if (each / "model.onnx").exists()):
            model = onnx.load(str(folder / "model.onnx"))
            why = reason(folder, model)
            if why is None and not takes_all and not is_small(folder):
                why = f"over {MOST_BYTES:,} bytes"
            if why is None:
                taken[kind(folder, model)] += 1
                if not takes_all and taken[kind(folder, model)] > MOST_OF_AN_OPERATOR:
                    why = f"the operator has {MOST_OF_AN_OPERATOR} tests already"
            if why is None:
                pack(archive, folder)
            census[why or "run"] += 1
    lines = [f"{count}\t{why}" for why, count in sorted(census.items(), key=lambda each: (-each[1], each[0]))]
    if not takes_all:
        Path(target).with_name("census.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    print(sum(census.values()), "tests,", len(taken), "operators are run")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--all" in sys.argv[2:])
