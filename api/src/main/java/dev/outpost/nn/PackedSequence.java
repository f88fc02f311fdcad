package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sequences of different lengths without padding (torch.nn.utils.rnn.PackedSequence): the first step of all, the longest first, then
 * the second step of those that have one, and so on. {@link Sequences} makes them.
 */
public final class PackedSequence {
    private final Tensor data;
    private final long[] batchSizes;
    /** At each place of the order by length: the sequence's place before. Null where they were in that order. */
    private final int @Nullable [] sortedIndices;

    PackedSequence(Tensor data, long[] batchSizes, int @Nullable [] sortedIndices) {
        this.data = data;
        this.batchSizes = batchSizes;
        this.sortedIndices = sortedIndices;
    }

    /**
     * Packed rows that exist, of sequences in descending order of their lengths.
     *
     * @param data {@code [rows, …]}
     * @param batchSizes of each step, how many sequences have it
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

    /** {@code [rows, …]}: all steps of all sequences. */
    public Tensor data() {
        return data;
    }

    /** Of each step, how many sequences have it. */
    public long[] batchSizes() {
        return batchSizes.clone();
    }

    /** How many sequences there are. */
    public int size() {
        return Math.toIntExact(batchSizes[0]);
    }

    /** At each place of the order by length, the sequence's place in the order that was given. */
    public int[] sortedIndices() {
        return sortedIndices == null ? identity(size()) : sortedIndices.clone();
    }

    /** The other way round: at each given place, that in the order by length. */
    public int[] unsortedIndices() {
        int[] sorted = sortedIndices();
        int[] unsorted = new int[sorted.length];
        for (int place = 0; place < sorted.length; place++) {
            unsorted[sorted[place]] = place;
        }
        return unsorted;
    }

    /** The lengths in the order that was given. */
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

    /** Other rows of the same sequences, as a layer makes them. */
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

    /** Something that each sequence has, along a dimension, from the given order to that by length. */
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
