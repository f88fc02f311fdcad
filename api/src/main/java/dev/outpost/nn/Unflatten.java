package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Splits one dimension into several (torch.nn.Unflatten). */
public final class Unflatten extends Module {
    private final int dim;
    private final long[] sizes;

    /** @param sizes the sizes, whose product is the size of the dimension; one may be -1 */
    public Unflatten(int dim, long... sizes) {
        this.dim = dim;
        this.sizes = sizes.clone();
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.unflatten(dim, sizes);
    }

    @Override
    protected String settings() {
        String all = Arrays.stream(sizes).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
        return "dim=" + dim + ", unflattened_size=" + all;
    }
}
