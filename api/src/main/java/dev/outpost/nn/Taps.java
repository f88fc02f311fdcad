package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Weighted sums of a few elements along one dimension, for each element of the result. */
final class Taps {
    private final long[][] indices;
    private final double[][] weights;
    private final long size;

    /** @param size the size of the dimension; indices outside of it stand for its ends */
    Taps(int count, int places, long size) {
        indices = new long[count][places];
        weights = new double[count][places];
        this.size = size;
    }

    void set(int place, int tap, long index, double weight) {
        indices[tap][place] = Math.clamp(index, 0, size - 1);
        weights[tap][place] = weight;
    }

    Tensor of(Tensor tensor, int dim) {
        long[] shape = new long[tensor.dim() - dim];
        Arrays.fill(shape, 1);
        shape[0] = indices[0].length;
        @Nullable Tensor sum = null;
        for (int tap = 0; tap < indices.length; tap++) {
            if (Arrays.stream(weights[tap]).allMatch(weight -> weight == 0)) {
                continue;
            }
            Tensor weighed = tensor.indexSelect(dim, tensor.machine().tensor(indices[tap]))
                    .mul(weight(tensor, weights[tap], shape));
            sum = sum == null ? weighed : sum.add(weighed);
        }
        return Objects.requireNonNull(sum);
    }

    private static Tensor weight(Tensor like, double[] weights, long[] shape) {
        if (like.dtype() == DType.FLOAT64) {
            return like.machine().tensor(weights, shape);
        }
        float[] narrow = new float[weights.length];
        for (int index = 0; index < narrow.length; index++) {
            narrow[index] = (float) weights[index];
        }
        return like.machine().tensor(narrow, shape).to(like.dtype());
    }
}
