package dev.outpost.functional;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.internal.vmap.Batching;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a function of many examples from a function of one example (torch.vmap), with given dimensions for the examples. The function is
 * called once; each op in it is applied to all examples at once.
 *
 * <pre>{@code
 * // A product of each row of xs with one matrix.
 * Function<List<Tensor>, List<Tensor>> rows = new Vmap().inDims(0, null).of(in -> List.of(in.get(1).mv(in.get(0))));
 * }</pre>
 *
 * <p>Captured tensors are the same for all examples. The function cannot read values, and its writes in place are visible only inside of
 * it. Maps can be nested in each other and in {@link Transforms}. Immutable and thread-safe.
 */
public final class Vmap {
    private final @Nullable Integer @Nullable [] inDims;
    private final int @Nullable [] outDims;
    private final BatchLevel.Randomness randomness;

    /** Uses the first dimension of all arguments and results; refuses random numbers. */
    public Vmap() {
        this(null, null, BatchLevel.Randomness.ERROR);
    }

    private Vmap(@Nullable Integer @Nullable [] inDims, int @Nullable [] outDims, BatchLevel.Randomness randomness) {
        this.inDims = inDims;
        this.outDims = outDims;
        this.randomness = randomness;
    }

    /** Sets the dimension of the examples in each argument; null for an argument that is the same for all. */
    public Vmap inDims(@Nullable Integer... dims) {
        return new Vmap(dims.clone(), outDims, randomness);
    }

    /** Sets the dimension of the examples in each result. */
    public Vmap outDims(int... dims) {
        return new Vmap(inDims, dims.clone(), randomness);
    }

    /** Allows random numbers, the same for all examples. */
    public Vmap sameRandomness() {
        return new Vmap(inDims, outDims, BatchLevel.Randomness.SAME);
    }

    /** Allows random numbers, different ones for each example. */
    public Vmap differentRandomness() {
        return new Vmap(inDims, outDims, BatchLevel.Randomness.DIFFERENT);
    }

    /**
     * Returns the function of many examples.
     *
     * @param function the function of one example
     * @throws OpException when it is called, if the arguments have different numbers of examples, or if an op has no batching rule
     */
    public Function<List<Tensor>, List<Tensor>> of(Function<List<Tensor>, List<Tensor>> function) {
        return inputs -> Scope.tidy(() -> map(function, inputs), results -> results);
    }

    private List<Tensor> map(Function<List<Tensor>, List<Tensor>> function, List<Tensor> inputs) {
        ArgumentChecks.requiredEach(inputs, "the inputs");
        int[] dims = dims(inputs);
        BatchLevel level = new Batching(examples(inputs, dims), randomness);
        return level.inside(() -> {
            List<Tensor> examples = new ArrayList<>();
            for (int index = 0; index < dims.length; index++) {
                Tensor input = inputs.get(index);
                examples.add(dims[index] < 0 ? input : Batching.example(level, input.movedim(dims[index], 0)));
            }
            return gathered(level, function.apply(examples));
        });
    }

    /** Returns the dimensions, with -1 for an argument that is the same for all examples. */
    private int[] dims(List<Tensor> inputs) {
        if (inDims != null && inDims.length != inputs.size()) {
            throw new OpException(
                    "vmap",
                    "inDims must name a dimension for each argument, got " + Arrays.toString(inDims) + " for "
                            + inputs.size() + " arguments");
        }
        int[] dims = new int[inputs.size()];
        for (int index = 0; index < dims.length; index++) {
            @Nullable Integer dim = inDims == null ? Integer.valueOf(0) : inDims[index];
            dims[index] = dim == null ? -1 : dimension(inputs.get(index), dim);
        }
        return dims;
    }

    private static int dimension(Tensor input, int dim) {
        if (input.dim() == 0) {
            throw new OpException("vmap", "an argument of no dimensions has no examples, got " + input.type());
        }
        return input.shape().normalizeDim("vmap", dim);
    }

    private static long examples(List<Tensor> inputs, int[] dims) {
        long size = -1;
        for (int index = 0; index < dims.length; index++) {
            long own = dims[index] < 0 ? size : inputs.get(index).size(dims[index]);
            if (size >= 0 && own != size) {
                throw new OpException("vmap", "all arguments must have as many examples, got " + size + " and " + own);
            }
            size = own;
        }
        if (size < 1) {
            throw new OpException("vmap", "at least one argument must have an example, got " + Math.max(0, size));
        }
        return size;
    }

    private List<Tensor> gathered(BatchLevel level, List<Tensor> results) {
        if (outDims != null && outDims.length != results.size()) {
            throw new OpException(
                    "vmap",
                    "outDims must name a dimension for each result, got " + Arrays.toString(outDims) + " for "
                            + results.size() + " results");
        }
        List<Tensor> all = new ArrayList<>();
        for (int index = 0; index < results.size(); index++) {
            Tensor result = Batching.all(level, results.get(index));
            all.add(outDims == null ? result : result.movedim(0, outDims[index]));
        }
        return List.copyOf(all);
    }
}
