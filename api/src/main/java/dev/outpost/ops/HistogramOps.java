package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Histograms;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Histograms: the numbers of elements in bins. */
public interface HistogramOps {
    Tensor self();

    /**
     * Returns the counts in equally wide bins between two bounds, in this dtype. Elements outside are not counted.
     * Equal bounds stand for the smallest and the largest element.
     */
    default Tensor histc(long bins, double min, double max) {
        return Scope.tidy(() -> Histograms.counts(self(), bins, min, max));
    }

    /** Returns the counts (or sums of weights) in equally wide bins between the smallest and the largest element. */
    default Histogram histogram(long bins) {
        return histogram(bins, null, false);
    }

    /**
     * Like {@link #histogram(long)}, but with weights and an optional density.
     *
     * @param weights the weight of each element, or null for 1
     * @param density true to scale the counts so that their integral is 1
     */
    default Histogram histogram(long bins, @Nullable Tensor weights, boolean density) {
        return histogram(bins, null, weights, density);
    }

    /**
     * Like {@link #histogram(long, Tensor, boolean)}, but with a range.
     *
     * @param range the start of the first bin and the end of the last one, or null for the smallest and the largest element; elements
     *     outside are not counted
     */
    default Histogram histogram(long bins, double @Nullable [] range, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.of("histogram", column(), weights, density, range, bins), Histogram::tensors);
    }

    /**
     * Like {@link #histogram(long, Tensor, boolean)}, but with ascending edges of the bins, one more than bins.
     * Elements outside are not counted.
     */
    default Histogram histogram(Tensor edges, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.between("histogram", column(), weights, density, List.of(edges)), Histogram::tensors);
    }

    private Tensor column() {
        return self().reshape(self().numel(), 1);
    }

    /**
     * Returns a histogram of points in several dimensions. The size of the last dimension is the number of
     * dimensions, and {@code bins} has an entry for each.
     */
    default Histogram histogramdd(long[] bins, @Nullable Tensor weights, boolean density) {
        return histogramdd(bins, null, weights, density);
    }

    /**
     * Like {@link #histogramdd(long[], Tensor, boolean)}, but with ranges.
     *
     * @param range the start and the end of the bins of each dimension, one dimension after the other, or null
     */
    default Histogram histogramdd(long[] bins, double @Nullable [] range, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.of("histogramdd", self().flatten(0, -2), weights, density, range, bins),
                Histogram::tensors);
    }

    /**
     * Like {@link #histogramdd(long[], Tensor, boolean)}, but with ascending edges for each dimension, one more than
     * bins.
     */
    default Histogram histogramdd(List<Tensor> edges, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.between("histogramdd", self().flatten(0, -2), weights, density, edges),
                Histogram::tensors);
    }

    /**
     * The counts and the edges of the bins.
     *
     * @param counts the counts, with one dimension of bins for each counted dimension
     * @param edges the edges of the bins of each dimension, one more than bins
     */
    record Histogram(Tensor counts, List<Tensor> edges) {
        public Histogram {
            edges = List.copyOf(edges);
        }

        private List<Tensor> tensors() {
            return Stream.concat(Stream.of(counts), edges.stream()).toList();
        }
    }
}
