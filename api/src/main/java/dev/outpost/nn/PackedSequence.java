package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sequences of different lengths without padding (torch.nn.utils.rnn.PackedSequence): step 1 of all sequences, the longest first, then step
 * 2 of all sequences that are long enough, and so on. {@link Sequences} makes them.
 */
public final class PackedSequence {
    private final Tensor data;
    private final long[] batchSizes;
    /** For each place in the order by length, the sequence's place in the given order. Null if the given order was by length. */
    private final int @Nullable [] sortedIndices;

    PackedSequence(Tensor data, long[] batchSizes, int @Nullable [] sortedIndices) {
        this.data = data;
        this.batchSizes = batchSizes;
        this.sortedIndices = sortedIndices;
    }

    /**
     * Packs existing rows of sequences in descending order of their lengths.
     *
     * @param data {@code [rows, …]}
     * @param batchSizes for each step, the number of sequences that have it
     */
    public static PackedSequence of(Tensor data, long... batchSizes) {
        ArgumentChecks.required(data, "the rows");
        boolean descends = batchSizes.length > 0 && batchSizes[batchSizes.length - 1] > 0;
        for (int step = 1; step < batchSizes.length; step++) {
            descends &= batchSizes[step] <= batchSizes[step - 1];
        }
        if (!descends
                || data.dim() == 0
                || data.size(0) != Arrays.stream(batchSizes).sum()) {
            throw new OpException(
                    "pack_sequence",
                    "the sizes of steps must be positive, descend, and add up to the rows, got "
                            + Arrays.toString(batchSizes) + " and " + data.shape());
        }
        return new PackedSequence(data, batchSizes.clone(), null);
    }

    /** Returns all steps of all sequences, {@code [rows, …]}. */
    public Tensor data() {
        return data;
    }

    /** Returns for each step the number of sequences that have it. */
    public long[] batchSizes() {
        return batchSizes.clone();
    }

    /** Returns the number of sequences. */
    public int size() {
        return Math.toIntExact(batchSizes[0]);
    }

    /** Returns for each place in the order by length the sequence's place in the given order. */
    public int[] sortedIndices() {
        return sortedIndices == null ? identity(size()) : sortedIndices.clone();
    }

    /** Returns for each place in the given order the sequence's place in the order by length. */
    public int[] unsortedIndices() {
        int[] sorted = sortedIndices();
        int[] unsorted = new int[sorted.length];
        for (int place = 0; place < sorted.length; place++) {
            unsorted[sorted[place]] = place;
        }
        return unsorted;
    }

    /** Returns the lengths in the given order. */
    public long[] lengths() {
        int[] sorted = sortedIndices();
        long[] lengths = new long[sorted.length];
        for (int place = 0; place < sorted.length; place++) {
            int sequence = place;
            lengths[sorted[place]] =
                    Arrays.stream(batchSizes).filter(size -> size > sequence).count();
        }
        return lengths;
    }

    /** Returns other rows for the same sequences, for example the output of a layer. */
    public PackedSequence with(Tensor rows) {
        if (ArgumentChecks.required(rows, "the rows").dim() == 0 || rows.size(0) != data.size(0)) {
            throw new OpException(
                    "pack_sequence", "there must be as many rows, got " + rows.shape() + " for " + data.shape());
        }
        return new PackedSequence(rows, batchSizes, sortedIndices);
    }

    private static int[] identity(int size) {
        int[] indices = new int[size];
        Arrays.setAll(indices, place -> place);
        return indices;
    }

    /** Sorts a tensor with an index for each sequence along a dimension, from the given order to that by length. */
    Tensor sorted(Tensor perSequence, int dim) {
        return sortedIndices == null ? perSequence : ordered(perSequence, dim, sortedIndices);
    }

    Tensor unsorted(Tensor perSequence, int dim) {
        return sortedIndices == null ? perSequence : ordered(perSequence, dim, unsortedIndices());
    }

    static Tensor ordered(Tensor tensor, int dim, int[] indices) {
        return tensor.indexSelect(
                dim,
                tensor.machine().tensor(Arrays.stream(indices).asLongStream().toArray()));
    }
}
