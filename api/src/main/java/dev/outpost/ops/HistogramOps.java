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
        return Scope.tidy(
                () -> Histograms.of(self().reshape(self().numel(), 1), weights, density, bins), Histogram::tensors);
    }

    /** The counts of rows in boxes; the last dimension has as many elements as there are numbers of bins. */
    default Histogram histogramdd(long[] bins, @Nullable Tensor weights, boolean density) {
        return Scope.tidy(() -> Histograms.of(self().flatten(0, -2), weights, density, bins), Histogram::tensors);
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
