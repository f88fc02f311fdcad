"""Packs a part of ONNX's own node tests into one archive: for each a model, its inputs and its outputs, as the package has them.

Run with onnx 1.17.0 installed, whose package has them: python export_nodes.py ../resources/nodes/nodes.zip
"""

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
    "test_qlinearmatmul_2D_int8",
    "test_resize_downsample_scales_cubic_align_corners",
)
NEWEST_OPERATORS = 21
NEWEST_FORMAT = 10


def tensor(path):
    value = TensorProto()
    value.ParseFromString(path.read_bytes())
    return value


def is_tensor(info):
    return info.type.HasField("tensor_type") and info.type.tensor_type.elem_type in DTYPES


def is_fit(folder, model):
    graph = model.graph
    data = folder / "test_data_set_0"
    if any(each.domain not in ("", "ai.onnx") for each in model.opset_import) or not data.is_dir():
        return False
    if max(each.version for each in model.opset_import) > NEWEST_OPERATORS or model.ir_version > NEWEST_FORMAT:
        return False
    if any(node.op_type in LEFT_OUT for node in graph.node) or model.functions:
        return False
    if any(name in folder.name for name in ("training", "sequence", "optional", "string", "float8", "int4", "bfloat16")):
        return False
    if not graph.input or not all(is_tensor(each) for each in [*graph.input, *graph.output]):
        return False
    if len(list(data.glob("input_*.pb"))) != len(graph.input):
        return False
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) <= MOST_BYTES


def main(target):
    root = Path(onnx.__file__).parent / "backend" / "test" / "data" / "node"
    taken = {}
    count = 0
    # A fixed date makes equal archives of equal files.
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for folder in sorted(root.iterdir()):
            path = folder / "model.onnx"
            if not path.exists():
                continue
            model = onnx.load(str(path))
            if not is_fit(folder, model):
                continue
            is_expanded = "_expanded" in folder.name
            kind = ("+" if is_expanded else "") + (folder.name[5:].split("_")[0] if is_expanded else model.graph.node[0].op_type)
            taken[kind] = taken.get(kind, 0) + 1
            if taken[kind] > MOST_OF_AN_OPERATOR or folder.name.startswith(OF_OTHERS):
                continue
            count += 1
            for file in [path, *sorted((folder / "test_data_set_0").glob("*.pb"))]:
                entry = zipfile.ZipInfo(f"{folder.name[5:]}/{file.name}", (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, file.read_bytes())
    print(count, "tests of", len(taken), "operators")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
