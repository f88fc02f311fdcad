package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table of vectors. The vectors of each bag of indices are combined into one, by default their mean (torch.nn.EmbeddingBag). */
public final class EmbeddingBag extends Module {
    private final BagMode mode;
    private final boolean includeLastOffset;
    private final Parameter weight;

    /** Creates a table that averages the vectors of each bag. */
    public EmbeddingBag(long count, long dimension) {
        this(count, dimension, BagMode.MEAN, false);
    }

    /** @param includeLastOffset true if there is one more offset than bags, at the end of the last bag */
    public EmbeddingBag(long count, long dimension, BagMode mode, boolean includeLastOffset) {
        this(new Parameter(Shape.of(count, dimension), DType.FLOAT32, Init.normal(0, 1)), mode, includeLastOffset);
    }

    /** Uses an existing table. */
    public EmbeddingBag(Parameter weight, BagMode mode, boolean includeLastOffset) {
        if (ArgumentChecks.required(weight, "the weight").shape().rank() != 2) {
            throw new OpException("embedding_bag", "the weight must have two dimensions, got " + weight.shape());
        }
        this.mode = ArgumentChecks.required(mode, "the mode");
        this.includeLastOffset = includeLastOffset;
        this.weight = parameter("weight", weight);
    }

    /** Returns the table, {@code [count, dimension]}. */
    public Parameter weight() {
        return weight;
    }

    /** Looks up a matrix; each row is a bag. */
    @Override
    public Tensor forward(Tensor indices) {
        return Functional.embeddingBag(indices, weight.tensor(), mode, null);
    }

    /**
     * Looks up a vector, in which each bag begins at an offset, or a matrix, each row of which is a bag.
     *
     * @param offsets null for a matrix
     * @param rowWeights a factor for each index, for sums only, or null
     */
    public Tensor forward(Tensor indices, @Nullable Tensor offsets, @Nullable Tensor rowWeights) {
        if (offsets == null) {
            return Functional.embeddingBag(indices, weight.tensor(), mode, rowWeights);
        }
        return Scope.tidy(() -> {
            Tensor starts = includeLastOffset ? offsets.narrow(0, 0, offsets.size(0) - 1) : offsets;
            return Functional.embeddingBag(indices, weight.tensor(), starts, mode, rowWeights);
        });
    }

    @Override
    protected String settings() {
        return weight.shape().size(0) + ", " + weight.shape().size(1) + ", mode='"
                + mode.name().toLowerCase(Locale.ROOT) + "'";
    }
}
