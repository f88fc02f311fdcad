package dev.outpost.onnx.pipeline;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.onnx.type.TransferPrecision;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * Encodes activations for transfers and decodes them, both on the machine. Elements are quantized in groups of 64 (as in
 * Dettmers et al., 2022, but with a zero point): {@code x = scale (q + zero)}, where q is between 0 and the number of levels,
 * the scale is bfloat16, and the zero point is int16.
 */
record ActivationCodec(TransferPrecision precision) {
    static final int GROUP = 64;
    private static final float MOST_HALF = 65504f;
    /** The largest absolute zero point. A group whose range is small relative to its values gets a larger scale. */
    private static final float MOST_ZERO = 32000f;
    /** A factor that compensates rounding to bfloat16, which reduces a number by less than this. */
    private static final float ROUND_UP = 1 + 1f / 128;
    /** The scale of a group of zeros. */
    private static final float LEAST_SCALE = 1e-30f;

    /** True if values of a type are encoded. */
    boolean isCoded(TensorType type) {
        boolean isShort = type.dtype().bytes() * 8 <= precision.bits();
        return precision != TransferPrecision.EXACT
                && type.dtype().isFloating()
                && !isShort
                && !type.shape().isEmpty();
    }

    /** Returns the encoded tensors. The caller closes them. */
    List<Tensor> encode(Tensor activation) {
        return switch (precision) {
            case EXACT -> List.of(activation.detach());
            case FLOAT16 -> {
                try (Tensor clamped = activation.clamp(-MOST_HALF, MOST_HALF)) {
                    yield List.of(clamped.to(DType.FLOAT16));
                }
            }
            case INT8, INT4 -> quantize(activation);
        };
    }

    /** Returns the decoded activation. The caller closes it. */
    Tensor decode(List<Tensor> parts, TensorType type) {
        return precision == TransferPrecision.FLOAT16 ? parts.getFirst().to(type.dtype()) : dequantize(parts, type);
    }

    // ---- groups

    private List<Tensor> quantize(Tensor activation) {
        long elements = activation.numel();
        long groups = Math.ceilDiv(elements, GROUP);
        try (Scope scope = activation.machine().scope()) {
            Tensor flat = activation.to(DType.FLOAT32).reshape(elements);
            Tensor grouped = padded(flat, groups * GROUP - elements).reshape(groups, GROUP);
            Tensor least = grouped.amin(1, true);
            Tensor most = grouped.amax(1, true);
            Tensor step = most.sub(least).div(precision.levels() - 0.5);
            Tensor far = most.abs().maximum(least.abs()).div(MOST_ZERO);
            Tensor scale = step.maximum(far).clampMin(LEAST_SCALE).mul(ROUND_UP).to(DType.BFLOAT16);
            Tensor wide = scale.to(DType.FLOAT32);
            Tensor zero = least.div(wide).round();
            Tensor numbers = grouped.div(wide)
                    .round()
                    .sub(zero)
                    .clamp(0, precision.levels())
                    .to(DType.UINT8);
            Tensor packed = precision == TransferPrecision.INT4 ? packed(numbers, groups) : numbers;
            return List.of(scope.keep(packed), scope.keep(scale), scope.keep(zero.to(DType.INT16)));
        }
    }

    /** Pads by repeating the last element, so that the range of the last group does not grow. */
    private static Tensor padded(Tensor flat, long missing) {
        if (missing == 0) {
            return flat;
        }
        Tensor last = flat.narrow(0, flat.numel() - 1, 1).expand(missing);
        return Tensors.cat(List.of(flat, last), 0);
    }

    private static Tensor packed(Tensor numbers, long groups) {
        Tensor pairs = numbers.reshape(groups, GROUP / 2, 2);
        Tensor low = pairs.select(2, 0);
        Tensor high = pairs.select(2, 1);
        return high.mul(16).add(low);
    }

    private Tensor dequantize(List<Tensor> parts, TensorType type) {
        Shape shape = type.shape();
        try (Scope scope = parts.getFirst().machine().scope()) {
            Tensor numbers = precision == TransferPrecision.INT4 ? unpacked(parts.getFirst()) : parts.getFirst();
            Tensor zero = parts.get(2).to(DType.FLOAT32);
            Tensor scale = parts.get(1).to(DType.FLOAT32);
            Tensor values = numbers.to(DType.FLOAT32).add(zero).mul(scale);
            Tensor whole = values.reshape(values.numel())
                    .narrow(0, 0, shape.elements())
                    .reshape(shape.toArray())
                    .to(type.dtype());
            return scope.keep(whole);
        }
    }

    private static Tensor unpacked(Tensor packed) {
        Tensor low = packed.bitwiseAnd(15);
        Tensor high = packed.rightShift(4);
        return Tensors.stack(List.of(low, high), 2).reshape(packed.size(0), GROUP);
    }
}
