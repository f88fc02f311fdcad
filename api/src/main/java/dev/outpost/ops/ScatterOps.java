package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.ops.Indexed;
import dev.outpost.internal.ops.Indexing;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.internal.ops.Reducing;
import dev.outpost.internal.ops.SegmentReduction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Scatter;
import org.jspecify.annotations.Nullable;

/**
 * Ops that write elements at positions given by index tensors and masks. They write to a copy, or in place if the name ends in {@code
 * _}. The machine checks the bounds of indices.
 */
public interface ScatterOps {
    Tensor self();

    /**
     * Returns a copy with {@code out[index[i][j]][j] = source[i][j]} for dimension 0. If indices are equal, the last
     * write wins.
     */
    default Tensor scatter(int dim, Tensor index, Tensor source) {
        return Scope.tidy(() -> Indexing.scatter(Scatter.Fn.SET, self(), dim, index, source));
    }

    /** Like {@link #scatter(int, Tensor, Tensor)}, but with one number for all positions. */
    default Tensor scatter(int dim, Tensor index, Number value) {
        return scatter(dim, index, Indexing.full("scatter", self(), index.shape(), value));
    }

    /**
     * Like {@link #scatter(int, Tensor, Tensor)}, but adds to the existing elements: {@code out[index[i][j]][j] +=
     * source[i][j]} for dimension 0. 16-bit floats are added in float32.
     *
     * {@snippet file="OpExamplesTest.java" region="scatterAdd"}
     */
    default Tensor scatterAdd(int dim, Tensor index, Tensor source) {
        return Scope.tidy(() -> Numerics.inFloat32(
                self(), source, (base, added) -> Indexing.scatter(Scatter.Fn.ADD, base, dim, index, added)));
    }

    /**
     * Like {@link #scatter(int, Tensor, Tensor)}, but reduces all elements for one position to one. 16-bit floats are
     * reduced in float32.
     */
    default Tensor scatterReduce(int dim, Tensor index, Tensor source, ScatterReduce reduce, boolean includeSelf) {
        return Scope.tidy(() -> Numerics.inFloat32(
                self(),
                source,
                (base, joined) ->
                        Reducing.scatter(base, dim, index, reduce, includeSelf).apply(base, joined)));
    }

    /** Returns a copy in which {@code source}'s slices are added to the slices that the index names. */
    default Tensor indexAdd(int dim, Tensor index, Tensor source) {
        return Indexing.writeSlices(Scatter.Fn.ADD, self(), dim, index, source);
    }

    /** Like {@link #indexAdd(int, Tensor, Tensor)}, but with {@code alpha} times the source. */
    default Tensor indexAdd(int dim, Tensor index, Tensor source, Number alpha) {
        return Scope.tidy(() -> indexAdd(
                dim, index, Dispatch.binary(Binary.MUL, source, Operand.fitting("index_add", alpha, source.dtype()))));
    }

    /**
     * Returns a copy in which {@code source}'s slices replace the slices that the index names. If indices are equal,
     * the last write wins.
     */
    default Tensor indexCopy(int dim, Tensor index, Tensor source) {
        return Scope.tidy(() -> Indexing.writeSlices(Scatter.Fn.SET, self(), dim, index, source));
    }

    /** Returns a copy with a number in the slices that the index names. */
    default Tensor indexFill(int dim, Tensor index, Number value) {
        return Scope.tidy(() -> Indexing.fillSlices(self(), dim, index, value));
    }

    /** Like {@link #indexCopy}, but reduces all slices for one position to one. */
    default Tensor indexReduce(int dim, Tensor index, Tensor source, ScatterReduce reduce, boolean includeSelf) {
        return Scope.tidy(
                () -> Reducing.slices(self(), dim, index, reduce, includeSelf).apply(self(), source));
    }

    /**
     * Returns a copy with {@code source} at indices of the flattened tensor. If {@code accumulate} is true, adds to
     * the existing elements.
     */
    default Tensor put(Tensor index, Tensor source, boolean accumulate) {
        return Scope.tidy(() -> {
            Scatter.Fn fn = accumulate ? Scatter.Fn.ADD : Scatter.Fn.SET;
            return Indexing.put(fn, self(), index, source);
        });
    }

    /** Returns a copy in which {@code source}'s elements, in order, replace the elements where a mask is true. */
    default Tensor maskedScatter(Tensor mask, Tensor source) {
        return Scope.tidy(() -> Indexing.maskedScatter(self(), mask, source));
    }

    /**
     * Returns a copy with other values at the chosen positions.
     *
     * @param indices an index for each of the first dimensions; null stands for the whole dimension
     * @param accumulate true to add the values to the existing elements
     */
    default Tensor indexPut(@Nullable Tensor[] indices, Tensor values, boolean accumulate) {
        return Scope.tidy(() -> {
            Scatter.Fn fn = accumulate ? Scatter.Fn.ADD : Scatter.Fn.SET;
            return Indexed.of("index_put", self(), Indexed.chosen(indices)).written(fn, values);
        });
    }

    // ---- in place

    /** Like {@link #scatter(int, Tensor, Tensor)}, but writes in place. */
    default Tensor scatter_(int dim, Tensor index, Tensor source) {
        return Indexing.written(self(), () -> scatter(dim, index, source));
    }

    /** Like {@link #scatter(int, Tensor, Number)}, but writes in place. */
    default Tensor scatter_(int dim, Tensor index, Number value) {
        return Indexing.written(self(), () -> scatter(dim, index, value));
    }

    /** Like {@link #scatterAdd(int, Tensor, Tensor)}, but writes in place. */
    default Tensor scatterAdd_(int dim, Tensor index, Tensor source) {
        return Indexing.written(self(), () -> scatterAdd(dim, index, source));
    }

    /** Like {@link #scatterReduce(int, Tensor, Tensor, ScatterReduce, boolean)}, but writes in place. */
    default Tensor scatterReduce_(int dim, Tensor index, Tensor source, ScatterReduce reduce, boolean includeSelf) {
        return Indexing.written(self(), () -> scatterReduce(dim, index, source, reduce, includeSelf));
    }

    /** Like {@link #indexAdd(int, Tensor, Tensor)}, but writes in place. */
    default Tensor indexAdd_(int dim, Tensor index, Tensor source) {
        return Indexing.written(self(), () -> indexAdd(dim, index, source));
    }

    /** Like {@link #indexAdd(int, Tensor, Tensor, Number)}, but writes in place. */
    default Tensor indexAdd_(int dim, Tensor index, Tensor source, Number alpha) {
        return Indexing.written(self(), () -> indexAdd(dim, index, source, alpha));
    }

    /** Like {@link #indexCopy(int, Tensor, Tensor)}, but writes in place. */
    default Tensor indexCopy_(int dim, Tensor index, Tensor source) {
        return Indexing.written(self(), () -> indexCopy(dim, index, source));
    }

    /** Like {@link #indexFill(int, Tensor, Number)}, but writes in place. */
    default Tensor indexFill_(int dim, Tensor index, Number value) {
        return Indexing.written(self(), () -> indexFill(dim, index, value));
    }

    /** Like {@link #indexReduce(int, Tensor, Tensor, ScatterReduce, boolean)}, but writes in place. */
    default Tensor indexReduce_(int dim, Tensor index, Tensor source, ScatterReduce reduce, boolean includeSelf) {
        return Indexing.written(self(), () -> indexReduce(dim, index, source, reduce, includeSelf));
    }

    /** Like {@link #put(Tensor, Tensor, boolean)}, but writes in place. */
    default Tensor put_(Tensor index, Tensor source, boolean accumulate) {
        return Indexing.written(self(), () -> put(index, source, accumulate));
    }

    /** Like {@link #maskedScatter(Tensor, Tensor)}, but writes in place. */
    default Tensor maskedScatter_(Tensor mask, Tensor source) {
        return Indexing.written(self(), () -> maskedScatter(mask, source));
    }

    /** Like {@link #indexPut(Tensor[], Tensor, boolean)}, but writes in place. */
    default Tensor indexPut_(@Nullable Tensor[] indices, Tensor values, boolean accumulate) {
        return Scope.tidy(() -> {
            // This comes before the write begins, because counting the true elements of a mask waits.
            Indexed chosen = Indexed.of("index_put", self(), Indexed.chosen(indices));
            chosen.write(accumulate ? Scatter.Fn.ADD : Scatter.Fn.SET, values);
            return self();
        });
    }

    /**
     * Reductions of successive segments of a dimension.
     *
     * @param reduction the mean of an empty segment is NaN, or the initial value
     * @param lengths {@code [..., segments]}; the other dimensions are self's before the axis; the sum of lengths is at most the
     *     dimension's size
     * @param axis the dimension
     * @param initial the initial value of each reduction, or null for the neutral element
     */
    default Tensor segmentReduce(ScatterReduce reduction, Tensor lengths, int axis, @Nullable Number initial) {
        return Scope.tidy(
                () -> SegmentReduction.ofLengths(self(), lengths, axis).reduce(reduction, initial));
    }

    /** Like {@link #segmentReduce}, but with the start of each segment, followed by the end of the last segment. */
    default Tensor segmentReduceByOffsets(ScatterReduce reduction, Tensor offsets, int axis, @Nullable Number initial) {
        return Scope.tidy(
                () -> SegmentReduction.ofOffsets(self(), offsets, axis).reduce(reduction, initial));
    }
}
