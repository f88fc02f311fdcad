package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.internal.IndexTerms;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Looks up rows of a matrix, and combines the rows of each bag into one. */
final class Bags {
    private Bags() {}

    /** Combines the rows of each row of indices. */
    static Tensor ofRows(Tensor indices, Tensor weight, BagMode mode, @Nullable Tensor rowWeights) {
        long bags = indices.size(0);
        Tensor offsets = indices.machine().arange(bags).mul(indices.size(1));
        return of(indices.flatten(), weight, offsets, mode, rowWeights == null ? null : rowWeights.flatten());
    }

    /** Combines the rows of bags in a vector of indices. A bag reaches from its offset to the next. */
    static Tensor of(Tensor indices, Tensor weight, Tensor offsets, BagMode mode, @Nullable Tensor rowWeights) {
        if (rowWeights != null && mode != BagMode.SUM) {
            throw new OpException("embedding_bag", "weights of rows are for sums only, got " + mode);
        }
        Tensor rows =
                IndexTerms.named("embedding_bag", "index", "rows", weight, () -> Functional.embedding(indices, weight));
        Tensor weighted = rowWeights == null ? rows : rows.mul(rowWeights.unsqueeze(-1));
        Tensor bag = offsets.searchsorted(indices.machine().arange(indices.numel()), true)
                .sub(1);
        Tensor empty = weighted.newZeros(offsets.numel(), weight.size(1));
        return switch (mode) {
            case SUM -> empty.indexAdd(0, bag, weighted);
            case MEAN -> empty.indexAdd(0, bag, weighted).div(sizes(empty, bag).clampMin(1));
            case MAX -> empty.indexReduce(0, bag, weighted, ScatterReduce.AMAX, false);
        };
    }

    private static Tensor sizes(Tensor bags, Tensor bag) {
        Tensor ones = bags.newOnes(bag.numel(), 1);
        return bags.newZeros(bags.size(0), 1).indexAdd(0, bag, ones);
    }
}
