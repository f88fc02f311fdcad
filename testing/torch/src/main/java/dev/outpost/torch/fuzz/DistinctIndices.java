package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws indices without repetitions. */
final class DistinctIndices {
    private DistinctIndices() {}

    private static List<Long> shuffled(Random random, long size) {
        List<Long> all = new ArrayList<>();
        for (long index = 0; index < size; index++) {
            all.add(index);
        }
        Collections.shuffle(all, random);
        return all;
    }

    /** Draws some of the indices into a dimension of that size, in any order. */
    static HostTensor some(Random random, long size) {
        long[] indices = shuffled(random, size).stream()
                .limit(size == 0 ? 0 : random.nextLong(size) + 1)
                .mapToLong(Long::longValue)
                .toArray();
        return HostTensor.of(indices, indices.length);
    }

    /** Draws an index for each element of a shape; along a dimension each index occurs once. */
    static HostTensor along(Random random, Shape shape, int dim) {
        long[] indices = new long[Math.toIntExact(shape.elements())];
        long inner = 1;
        for (int after = dim + 1; after < shape.rank(); after++) {
            inner *= shape.size(after);
        }
        List<Long> order = shuffled(random, shape.size(dim));
        for (int element = 0; element < indices.length; element++) {
            indices[element] = order.get((int) (element / inner % shape.size(dim)));
        }
        return HostTensor.ofBytes(DType.INT64, shape, HostTensor.of(indices).bytes());
    }
}
