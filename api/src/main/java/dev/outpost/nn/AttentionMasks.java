package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/** Masks of attention as in PyTorch's modules: true or minus infinity marks pairs that do not attend. */
record AttentionMasks(long batch, long heads, long queries, long keys) {
    /** Returns the numbers that are added to scores {@code [batch, heads, queries, keys]}; null if nothing is masked. */
    @Nullable
    Tensor added(@Nullable Tensor mask, @Nullable Tensor keyPadding, Tensor query) {
        Tensor first = mask == null ? null : ofPairs(added("the mask", mask, query));
        Tensor second = keyPadding == null ? null : ofKeys(added("the padding of keys", keyPadding, query));
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return first.add(second);
    }

    private static Tensor added(String name, Tensor mask, Tensor query) {
        if (mask.dtype() == DType.BOOL) {
            return query.newZeros(mask.shape().toArray()).maskedFill(mask, Double.NEGATIVE_INFINITY);
        }
        if (!mask.dtype().isFloating()) {
            throw new OpException("multihead_attention", name + " must be bool or floating, got " + mask.type());
        }
        return mask.to(query.dtype());
    }

    private Tensor ofPairs(Tensor mask) {
        if (mask.shape().equals(Shape.of(queries, keys))) {
            return mask.reshape(1, 1, queries, keys);
        }
        if (mask.shape().equals(Shape.of(batch * heads, queries, keys))) {
            return mask.reshape(batch, heads, queries, keys);
        }
        throw new OpException(
                "multihead_attention",
                "the mask must be " + Shape.of(queries, keys) + " or " + Shape.of(batch * heads, queries, keys)
                        + ", got " + mask.shape());
    }

    private Tensor ofKeys(Tensor padding) {
        if (padding.dim() == 1 && batch == 1 && padding.size(0) == keys) {
            return padding.reshape(1, 1, 1, keys);
        }
        if (!padding.shape().equals(Shape.of(batch, keys))) {
            throw new OpException(
                    "multihead_attention",
                    "the padding of keys must be " + Shape.of(batch, keys) + ", got " + padding.shape());
        }
        return padding.reshape(batch, 1, 1, keys);
    }
}
