package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Combinations of a vector's elements. The number of combinations follows from the vector's size, so no method waits.
 */
public final class Combinations {
    private Combinations() {}

    public static Tensor of(Tensor vector, int count, boolean withReplacement) {
        if (vector.dim() != 1 || count < 0) {
            throw new OpException(
                    "combinations",
                    "a vector and a count of at least 0 are needed, got " + vector.shape() + " and " + count);
        }
        if (count == 0) {
            return Creation.full(States.home(vector), Shape.of(0), vector.dtype(), 0);
        }
        long size = vector.numel();
        long rows = choose(withReplacement ? size + count - 1 : size, count);
        Tensor ascending = ascending(Creation.indices(States.home(vector), size), count, withReplacement);
        Tensor indices = Dispatch.apply(new Nonzero(rows), ascending);
        return vector.indexSelect(0, indices.flatten()).view(rows, count);
    }

    /** Returns for each point of a cube of indices true if its coordinates ascend. */
    private static Tensor ascending(Tensor indices, int count, boolean withReplacement) {
        List<Tensor> grids = new ArrayList<>(
                Tensors.meshgrid(Collections.nCopies(count, indices).toArray(Tensor[]::new)));
        Tensor ascending = grids.get(0).eq(grids.get(0));
        for (int dim = 1; dim < count; dim++) {
            Tensor step = Dispatch.binary(withReplacement ? Binary.LE : Binary.LT, grids.get(dim - 1), grids.get(dim));
            ascending = Dispatch.binary(Binary.AND, ascending, step);
        }
        return ascending;
    }

    private static long choose(long size, long count) {
        if (count > size) {
            return 0;
        }
        long ways = 1;
        for (long taken = 1; taken <= count; taken++) {
            ways = Math.multiplyExact(ways, size - count + taken) / taken;
        }
        return ways;
    }
}
