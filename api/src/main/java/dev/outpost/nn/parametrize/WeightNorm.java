package dev.outpost.nn.parametrize;

import dev.outpost.Tensor;
import dev.outpost.nn.Parametrization;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes g · v / ‖v‖ from lengths {@code original0} and directions {@code original1} (Salimans and Kingma, 2016;
 * torch.nn.utils.parametrizations.weight_norm).
 */
public final class WeightNorm extends Parametrization {
    /** The dimension that stands for one length of the whole weight. */
    public static final int WHOLE = -1;

    private final int dim;

    /** @param dim the dimension with a length for each index; {@link #WHOLE} for one length of the whole weight */
    public WeightNorm(int dim) {
        this.dim = dim;
    }

    @Override
    protected List<Shape> originals(Shape shape) {
        if (dim == WHOLE) {
            return List.of(Shape.SCALAR, shape);
        }
        long[] sizes = new long[shape.rank()];
        Arrays.fill(sizes, 1);
        int kept = shape.normalizeDim("weight_norm", dim);
        sizes[kept] = shape.size(kept);
        return List.of(Shape.of(sizes), shape);
    }

    private Tensor norm(Tensor directions) {
        if (dim == WHOLE) {
            return directions.norm();
        }
        int[] others = IntStream.range(0, directions.dim())
                .filter(other -> other != dim)
                .toArray();
        return others.length == 0 ? directions.abs() : directions.norm(2, others, true);
    }

    @Override
    protected Tensor value(List<Tensor> originals) {
        Tensor directions = originals.get(1);
        return directions.mul(originals.get(0).div(norm(directions)));
    }

    @Override
    protected List<Tensor> rightInverse(Tensor value) {
        return List.of(norm(value), value);
    }
}
