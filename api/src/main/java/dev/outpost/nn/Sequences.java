package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Pads and packs sequences of different lengths (torch.nn.utils.rnn). */
public final class Sequences {
    private Sequences() {}

    /**
     * Sequences and their lengths.
     *
     * @param data padded, {@code [time, batch, …]} or {@code [batch, time, …]}
     * @param lengths the length of each sequence
     */
    public record Padded(Tensor data, long[] lengths) {
        public Padded {
            lengths = lengths.clone();
        }

        @Override
        public long[] lengths() {
            return lengths.clone();
        }
    }

    /** Same as {@code padSequence(sequences, false, 0)}. */
    public static Tensor padSequence(List<Tensor> sequences) {
        return padSequence(sequences, false, 0);
    }

    /**
     * Pads sequences {@code [length, …]} to one tensor, {@code [time, batch, …]}, or {@code [batch, time, …]} if the batch is first.
     *
     * @param padding the value after the end of shorter sequences
     */
    public static Tensor padSequence(List<Tensor> sequences, boolean batchFirst, Number padding) {
        if (ArgumentChecks.requiredEach(sequences, "the sequences").isEmpty()) {
            throw new OpException("pad_sequence", "at least one sequence is needed, got none");
        }
        long longest =
                sequences.stream().mapToLong(sequence -> sequence.size(0)).max().orElseThrow();
        return Scope.tidy(() -> Tensors.stack(
                sequences.stream()
                        .map(sequence -> lengthened(sequence, longest, padding))
                        .toList(),
                batchFirst ? 0 : 1));
    }

    private static Tensor lengthened(Tensor sequence, long length, Number padding) {
        long[] counts = new long[2 * sequence.dim()];
        counts[counts.length - 1] = length - sequence.size(0);
        return sequence.pad(padding, counts);
    }

    /** Same as {@code packPaddedSequence(padded, lengths, false, true)}. */
    public static PackedSequence packPaddedSequence(Tensor padded, long... lengths) {
        return packPaddedSequence(padded, lengths, false, true);
    }

    /**
     * Packs padded sequences.
     *
     * @param padded {@code [time, batch, …]}, or {@code [batch, time, …]} if the batch is first
     * @param lengths the length of each sequence, at least 1
     * @param enforceSorted true to refuse lengths that do not descend, false to sort them
     */
    public static PackedSequence packPaddedSequence(
            Tensor padded, long[] lengths, boolean batchFirst, boolean enforceSorted) {
        requireLengths(padded, lengths, batchFirst);
        int[] order = byLength(lengths);
        boolean isSorted = Arrays.equals(order, IntStream.range(0, order.length).toArray());
        if (enforceSorted && !isSorted) {
            throw new OpException(
                    "pack_padded_sequence",
                    "the lengths must descend, got " + Arrays.toString(lengths) + "; enforceSorted=false sorts them");
        }
        long[] batchSizes = batchSizes(lengths);
        Tensor rows = Scope.tidy(() -> {
            Tensor timed = batchFirst ? padded.transpose(0, 1) : padded;
            Tensor sorted = isSorted ? timed : PackedSequence.ordered(timed, 1, order);
            List<Tensor> steps = new ArrayList<>();
            for (int step = 0; step < batchSizes.length; step++) {
                steps.add(sorted.select(0, step).narrow(0, 0, batchSizes[step]));
            }
            return Tensors.cat(steps, 0);
        });
        return new PackedSequence(rows, batchSizes, isSorted ? null : order);
    }

    private static void requireLengths(Tensor padded, long[] lengths, boolean batchFirst) {
        ArgumentChecks.required(padded, "the sequences");
        if (padded.dim() < 2) {
            throw new OpException("pack_padded_sequence", "time and batch are needed, got " + padded.shape());
        }
        long time = padded.size(batchFirst ? 1 : 0);
        long batch = padded.size(batchFirst ? 0 : 1);
        boolean fits = lengths.length == batch
                && batch > 0
                && Arrays.stream(lengths).allMatch(length -> length > 0 && length <= time);
        if (!fits) {
            throw new OpException(
                    "pack_padded_sequence",
                    "there must be a length of 1 to " + time + " for each of " + batch + " sequences, got "
                            + Arrays.toString(lengths));
        }
    }

    private static int[] byLength(long[] lengths) {
        return IntStream.range(0, lengths.length)
                .boxed()
                .sorted(Comparator.comparing(place -> -lengths[place]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static long[] batchSizes(long[] lengths) {
        long longest = Arrays.stream(lengths).max().orElseThrow();
        return LongStream.range(0, longest)
                .map(step ->
                        Arrays.stream(lengths).filter(length -> length > step).count())
                .toArray();
    }

    /** Same as {@code packSequence(sequences, true)}. */
    public static PackedSequence packSequence(List<Tensor> sequences) {
        return packSequence(sequences, true);
    }

    /** Packs sequences {@code [length, …]}. */
    public static PackedSequence packSequence(List<Tensor> sequences, boolean enforceSorted) {
        Tensor padded = padSequence(sequences);
        try (padded) {
            long[] lengths =
                    sequences.stream().mapToLong(sequence -> sequence.size(0)).toArray();
            return packPaddedSequence(padded, lengths, false, enforceSorted);
        }
    }

    /** Same as {@code padPackedSequence(packed, false, 0)}. */
    public static Padded padPackedSequence(PackedSequence packed) {
        return padPackedSequence(packed, false, 0);
    }

    /** Pads packed sequences to the longest, in their given order. */
    public static Padded padPackedSequence(PackedSequence packed, boolean batchFirst, Number padding) {
        long[] batchSizes = ArgumentChecks.required(packed, "the sequences").batchSizes();
        Tensor padded = Scope.tidy(() -> {
            List<Tensor> steps = new ArrayList<>();
            long offset = 0;
            for (long size : batchSizes) {
                steps.add(lengthened(packed.data().narrow(0, offset, size), batchSizes[0], padding));
                offset += size;
            }
            Tensor timed = packed.unsorted(Tensors.stack(steps, 0), 1);
            return batchFirst ? timed.transpose(0, 1) : timed;
        });
        return new Padded(padded, packed.lengths());
    }

    /** Returns each padded sequence as a separate tensor. */
    public static List<Tensor> unpadSequence(Padded padded, boolean batchFirst) {
        List<Tensor> sequences = new ArrayList<>();
        long[] lengths = padded.lengths();
        for (int place = 0; place < lengths.length; place++) {
            sequences.add(padded.data().select(batchFirst ? 0 : 1, place).narrow(0, 0, lengths[place]));
        }
        return sequences;
    }

    /** Returns each packed sequence as a separate tensor. */
    public static List<Tensor> unpackSequence(PackedSequence packed) {
        return unpadSequence(padPackedSequence(packed), false);
    }
}
