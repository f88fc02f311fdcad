package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.ops.QuantizedPrimitives;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The weight of a layer as small integers, on a machine, in the form of {@link QuantizedPrimitives#matmul}. Other stored
 * forms are converted on the machine.
 *
 * @param codes {@code [outputs, inputs · bits / 8]}, uint8
 * @param scales {@code [outputs, groups]}, float16 or as they are stored
 * @param zeros {@code [outputs, groups]}, uint8
 * @param order the order of the inputs, {@code [inputs]}, int64, if groups are not consecutive; else null
 */
record QuantizedWeight(
        int bits,
        int group,
        Tensor codes,
        Tensor scales,
        Tensor zeros,
        @Nullable Tensor order) implements AutoCloseable {
    /** The shift of each output's four bits in a word of AWQ, which packs outputs in the order 0, 2, 4, 6, 1, 3, 5, 7. */
    private static final long[] AWQ_SHIFTS = {0, 16, 4, 20, 8, 24, 12, 28};

    private static final int WORD = 32;

    /** Returns {@code x · weightᵀ} over the last dimension. */
    Tensor multiply(Tensor x) {
        Tensor rows = x.reshape(-1, x.size(-1));
        Tensor ordered = order == null ? rows : rows.indexSelect(1, order);
        Tensor product = QuantizedPrimitives.matmul(ordered, codes, scales, zeros, bits, group);
        long[] shape = x.shape().toArray();
        shape[shape.length - 1] = codes.size(0);
        return product.reshape(shape);
    }

    private List<Tensor> tensors() {
        List<Tensor> all = new ArrayList<>(List.of(codes, scales, zeros));
        if (order != null) {
            all.add(order);
        }
        return all;
    }

    private static QuantizedWeight tidy(Supplier<QuantizedWeight> made) {
        return Scope.tidy(made, QuantizedWeight::tensors);
    }

    /**
     * Quantizes floats. With 4 bits the 16 values of a group span its least to its largest weight. With 8 bits the zero is in the middle.
     *
     * @param weight {@code [outputs, inputs]}
     */
    static QuantizedWeight of(Tensor weight, int bits, int group) {
        return tidy(() -> {
            Tensor grouped = weight.to(DType.FLOAT32).reshape(weight.size(0), -1, group);
            return bits == 4 ? within(grouped, group) : around(grouped, group);
        });
    }

    private static QuantizedWeight within(Tensor grouped, int group) {
        Tensor least = grouped.amin(-1).clampMax(0);
        Tensor most = grouped.amax(-1).clampMin(0);
        Tensor scales = scales(most.sub(least).div(15));
        Tensor wide = scales.to(DType.FLOAT32);
        Tensor zeros = least.neg().div(wide).round().clamp(0, 15);
        Tensor codes =
                grouped.div(wide.unsqueeze(-1)).round().add(zeros.unsqueeze(-1)).clamp(0, 15);
        Tensor packed = packed(codes.to(DType.INT32).reshape(grouped.size(0), -1), 4);
        return new QuantizedWeight(4, group, packed, scales, zeros.to(DType.UINT8), null);
    }

    private static QuantizedWeight around(Tensor grouped, int group) {
        Tensor scales = scales(grouped.abs().amax(-1).div(127));
        Tensor codes = grouped.div(scales.to(DType.FLOAT32).unsqueeze(-1))
                .round()
                .clamp(-127, 127)
                .add(128);
        Tensor packed = packed(codes.to(DType.INT32).reshape(grouped.size(0), -1), 8);
        return new QuantizedWeight(
                8, group, packed, scales, scales.zerosLike().add(128).to(DType.UINT8), null);
    }

    /**
     * Rounds scales to their stored dtype. Rounds up, so that the largest weight stays representable. A scale is never 0, even if all
     * weights of a group are 0.
     */
    private static Tensor scales(Tensor exact) {
        return exact.mul(1 + 0x1p-10).clampMin(0x1p-20).to(DType.FLOAT16);
    }

    /** @param codes {@code [outputs, inputs]}, int32 */
    private static Tensor packed(Tensor codes, int bits) {
        if (bits == 8) {
            return codes.to(DType.UINT8);
        }
        Tensor pairs = codes.reshape(codes.size(0), -1, 2);
        return pairs.select(2, 0).add(pairs.select(2, 1).mul(16)).to(DType.UINT8);
    }

    // ---- layouts of files

    /**
     * Converts the layout of GPTQ.
     *
     * @param qweight {@code [inputs · bits / 32, outputs]}, int32; the first input is in the lowest bits
     * @param qzeros {@code [groups, outputs · bits / 32]}, int32
     * @param scales {@code [groups, outputs]}
     * @param groupOf the group of each input, {@code [inputs]}, int32, or null if groups are consecutive
     * @param added added to the stored zeros
     */
    static QuantizedWeight ofGptq(
            int bits, int group, Tensor qweight, Tensor qzeros, Tensor scales, @Nullable Tensor groupOf, int added) {
        return tidy(() -> {
            RemoteMachine machine = qweight.machine();
            Tensor shifts = machine.tensor(steps(bits), WORD / bits).to(DType.INT32);
            Tensor codes = qweight.unsqueeze(1)
                    .rightShift(shifts.reshape(1, -1, 1))
                    .bitwiseAnd((1 << bits) - 1)
                    .reshape(-1, qweight.size(1));
            Tensor zeros = qzeros.unsqueeze(2)
                    .rightShift(shifts.reshape(1, 1, -1))
                    .bitwiseAnd((1 << bits) - 1)
                    .add(added)
                    .reshape(qzeros.size(0), -1);
            Tensor order = groupOf == null ? null : groupOf.argsort(0, false);
            Tensor ordered = order == null ? codes : codes.indexSelect(0, order);
            return ofColumns(bits, group, ordered, zeros, scales, order);
        });
    }

    /**
     * Converts the layout of AWQ, version GEMM.
     *
     * @param qweight {@code [inputs, outputs / 8]}, int32
     * @param qzeros {@code [groups, outputs / 8]}, int32
     * @param scales {@code [groups, outputs]}
     */
    static QuantizedWeight ofAwq(int group, Tensor qweight, Tensor qzeros, Tensor scales) {
        return tidy(() -> {
            Tensor shifts = qweight.machine()
                    .tensor(AWQ_SHIFTS, AWQ_SHIFTS.length)
                    .to(DType.INT32)
                    .reshape(1, 1, -1);
            return ofColumns(4, group, unpackedAwq(qweight, shifts), unpackedAwq(qzeros, shifts), scales, null);
        });
    }

    private static Tensor unpackedAwq(Tensor words, Tensor shifts) {
        return words.unsqueeze(2).rightShift(shifts).bitwiseAnd(15).reshape(words.size(0), -1);
    }

    private static long[] steps(int bits) {
        long[] steps = new long[WORD / bits];
        for (int place = 0; place < steps.length; place++) {
            steps[place] = (long) place * bits;
        }
        return steps;
    }

    /** @param codes {@code [inputs, outputs]}, int32; zeros and scales {@code [groups, outputs]} */
    private static QuantizedWeight ofColumns(
            int bits, int group, Tensor codes, Tensor zeros, Tensor scales, @Nullable Tensor order) {
        return new QuantizedWeight(
                bits,
                group,
                packed(codes.transpose(0, 1).contiguous(), bits),
                scales.transpose(0, 1).contiguous(),
                zeros.transpose(0, 1).contiguous().to(DType.UINT8),
                order);
    }

    /** Returns the weight as floats, {@code [outputs, inputs]}, for comparison. */
    Tensor dequantized() {
        return Scope.tidy(() -> {
            Tensor wide = codes.to(DType.INT32);
            Tensor all = bits == 8 ? wide : Tensors.stack(List.of(wide.bitwiseAnd(15), wide.rightShift(4)), 2);
            Tensor grouped = all.reshape(codes.size(0), -1, group).to(DType.FLOAT32);
            Tensor weight = grouped.sub(zeros.to(DType.FLOAT32).unsqueeze(-1))
                    .mul(scales.to(DType.FLOAT32).unsqueeze(-1))
                    .reshape(codes.size(0), -1);
            return order == null ? weight : weight.indexSelect(1, order.argsort(0, false));
        });
    }

    @Override
    public void close() {
        tensors().forEach(Tensor::close);
    }
}
