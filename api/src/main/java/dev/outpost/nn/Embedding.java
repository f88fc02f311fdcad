package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** A table of vectors, looked up by index. */
public final class Embedding extends Module {
    private static final long NO_PADDING = -1;

    private final long count;
    private final long dimension;
    private final long paddingIdx;
    private final Parameter weight;

    /** Creates a table {@code [count, dimension]} of float32 that begins with standard normal numbers. */
    public Embedding(long count, long dimension) {
        this(count, dimension, NO_PADDING, Init.normal(0, 1));
    }

    /** @param paddingIdx the row that begins as zeros and gets no gradient */
    public Embedding(long count, long dimension, long paddingIdx) {
        this(count, dimension, checkedPadding(paddingIdx, count), withoutRow(paddingIdx));
    }

    /**
     * Uses an existing table, which may be in other modules, too: a training step changes it for all.
     *
     * @param weight {@code [count, dimension]}
     */
    public Embedding(Parameter weight) {
        this(weight, requireTable(weight), NO_PADDING);
    }

    /**
     * Uses an existing table, like {@link #Embedding(Parameter)}. The row {@code paddingIdx} keeps its values and
     * gets no gradient.
     */
    public Embedding(Parameter weight, long paddingIdx) {
        this(
                weight,
                requireTable(weight),
                checkedPadding(paddingIdx, requireTable(weight).size(0)));
    }

    private Embedding(Parameter weight, Shape shape, long paddingIdx) {
        this.count = shape.size(0);
        this.dimension = shape.size(1);
        this.paddingIdx = paddingIdx;
        this.weight = parameter("weight", weight);
    }

    private static Shape requireTable(Parameter weight) {
        Shape shape = ArgumentChecks.required(weight, "the weight").shape();
        if (shape.rank() != 2) {
            throw new OpException("embedding", "the weight must have two dimensions, got " + shape);
        }
        return shape;
    }

    private Embedding(long count, long dimension, long paddingIdx, Initializer initializer) {
        this.count = count;
        this.dimension = dimension;
        this.paddingIdx = paddingIdx;
        weight = parameter("weight", initializer, count, dimension);
    }

    private static long checkedPadding(long paddingIdx, long count) {
        if (paddingIdx < 0 || paddingIdx >= count) {
            throw new OpException("embedding", "paddingIdx must be a row of " + count + ", got " + paddingIdx);
        }
        return paddingIdx;
    }

    private static Initializer withoutRow(long row) {
        return (machine, shape, dtype) -> {
            Tensor table = Init.normal(0, 1).create(machine, shape, dtype);
            try (Tensor padding = table.select(0, row)) {
                padding.zero_();
            }
            return table;
        };
    }

    /** Returns the table, {@code [count, dimension]}. */
    public Parameter weight() {
        return weight;
    }

    /**
     * Looks up indices of any shape: {@code [...]} of integers gives {@code [..., dimension]}. An index outside of the table is a
     * fault that the next read throws.
     *
     * {@snippet file="ModuleExamplesTest.java" region="embedding"}
     */
    @Override
    public Tensor forward(Tensor indices) {
        Tensor rows = Functional.embedding(indices, weight.tensor());
        return paddingIdx == NO_PADDING ? rows : withoutPaddingGradient(indices, rows);
    }

    private Tensor withoutPaddingGradient(Tensor indices, Tensor rows) {
        return rows.where(indices.ne(paddingIdx).unsqueeze(-1), rows.detach());
    }

    @Override
    protected String settings() {
        String padding = paddingIdx == NO_PADDING ? "" : ", padding_idx=" + paddingIdx;
        return count + ", " + dimension + padding;
    }
}
