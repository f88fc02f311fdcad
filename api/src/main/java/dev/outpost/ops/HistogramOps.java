package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Histograms;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many elements lie in each of equally wide bins. */
public interface HistogramOps {
    Tensor self();

    /**
     * The counts in bins between two bounds, in this dtype; elements outside are not counted. Equal bounds stand for the
     * smallest and the largest element.
     */
    default Tensor histc(long bins, double min, double max) {
        return Scope.tidy(() -> Histograms.counts(self(), bins, min, max));
    }

    /** The counts (or sums of weights) in bins between the smallest and the largest element. */
    default Histogram histogram(long bins) {
        return histogram(bins, null, false);
    }

    /**
     * As {@link #histogram(long)}.
     *
     * @param weights what each element counts, or null for 1
     * @param density whether the counts are divided so that their integral is 1
     */
    default Histogram histogram(long bins, @Nullable Tensor weights, boolean density) {
        return histogram(bins, null, weights, density);
    }

    /**
     * As {@link #histogram(long, Tensor, boolean)}.
     *
     * @param range where the bins begin and end, or null for the smallest and the largest element; what is outside is not counted
     */
    default Histogram histogram(long bins, double @Nullable [] range, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.of("histogram", column(), weights, density, range, bins), Histogram::tensors);
    }

    /** As {@link #histogram(long, Tensor, boolean)}, between edges that ascend, one more than bins; what is outside is not counted. */
    default Histogram histogram(Tensor edges, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.between("histogram", column(), weights, density, List.of(edges)), Histogram::tensors);
    }

    private Tensor column() {
        return self().reshape(self().numel(), 1);
    }

    /** The counts of rows in boxes; the last dimension has as many elements as there are numbers of bins. */
    default Histogram histogramdd(long[] bins, @Nullable Tensor weights, boolean density) {
        return histogramdd(bins, null, weights, density);
    }

    /**
     * As {@link #histogramdd(long[], Tensor, boolean)}.
     *
     * @param range where the bins of each dimension begin and end, one dimension behind the other, or null
     */
    default Histogram histogramdd(long[] bins, double @Nullable [] range, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.of("histogramdd", self().flatten(0, -2), weights, density, range, bins),
                Histogram::tensors);
    }

    /** As {@link #histogramdd(long[], Tensor, boolean)}, between edges that ascend, for each dimension one more than bins. */
    default Histogram histogramdd(List<Tensor> edges, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(
                () -> Histograms.between("histogramdd", self().flatten(0, -2), weights, density, edges),
                Histogram::tensors);
    }

    /**
     * Counts and where the bins begin and end.
     *
     * @param counts one dimension of bins for each dimension that was counted
     * @param edges for each dimension the edges of its bins, one more than bins
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
