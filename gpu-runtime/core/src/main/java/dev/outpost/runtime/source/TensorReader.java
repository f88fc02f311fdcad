package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.types.DType;
import java.io.IOException;
import java.util.Arrays;

/** Reads parts of a box of a tensor, and casts them. Reads one part at a time. */
record TensorReader(ReadableBytes file, TensorBox box, DType dtype) {
    /**
     * The maximum number of bytes between two runs that are read and skipped, because that costs less than another
     * request.
     */
    private static final long MAX_SKIPPED = 64 << 10;

    private static final long MAX_HELD = 16L << 20;

    /** Reads {@code count} elements of the box, beginning at {@code first}, and casts them to the requested dtype. */
    byte[] read(long first, int count) throws IOException {
        return ElementCast.cast(box.dtype(), readStored(first, count), dtype);
    }

    private byte[] readStored(long first, int count) throws IOException {
        int unit = box.dtype().bytes();
        byte[] target = new byte[Math.multiplyExact(count, unit)];
        if (!box.isRowMajor()) {
            gather(first, count, target);
            return target;
        }
        for (long element = first; element < first + count; ) {
            long end = endOfNearby(element, first + count);
            readNearby(element, end, target, (int) ((element - first) * unit));
            element = end;
        }
        return target;
    }

    /**
     * Reads elements that have another order in the file: reads the whole range that contains them piece by piece, and picks the elements.
     */
    private void gather(long first, int count, byte[] target) throws IOException {
        int unit = box.dtype().bytes();
        long[] positions = new long[count];
        Arrays.setAll(positions, element -> box.position(first + element));
        long begin = Arrays.stream(positions).min().orElse(0);
        long end = Arrays.stream(positions).max().orElse(-unit) + unit;
        long piece = MAX_HELD / unit * unit;
        for (long from = begin; from < end; from += piece) {
            byte[] held = file.read(from, (int) Math.min(piece, end - from));
            for (int element = 0; element < count; element++) {
                long at = positions[element] - from;
                if (at >= 0 && at < held.length) {
                    System.arraycopy(held, (int) at, target, element * unit, unit);
                }
            }
        }
    }

    /** Returns the end of the sequence of runs with small gaps that begins at an element. */
    private long endOfNearby(long element, long limit) {
        long end = Math.min(limit, element + box.contiguousFrom(element));
        int unit = box.dtype().bytes();
        while (end < limit && box.position(end) - box.position(end - 1) - unit <= MAX_SKIPPED) {
            end = Math.min(limit, end + box.contiguousFrom(end));
        }
        return end;
    }

    private void readNearby(long first, long end, byte[] target, int at) throws IOException {
        int unit = box.dtype().bytes();
        long from = box.position(first);
        long covered = box.position(end - 1) + unit - from;
        if (covered == (end - first) * unit) {
            file.read(from, target, at, (int) covered);
            return;
        }
        // Reads runs with gaps in several steps, to limit the bytes held at once.
        long piece = Math.max(1, MAX_HELD / Math.max(1, covered / Math.max(1, end - first)));
        for (long start = first; start < end; start += piece) {
            copyRuns(start, Math.min(end, start + piece), target, at + (int) ((start - first) * unit));
        }
    }

    private void copyRuns(long first, long end, byte[] target, int at) throws IOException {
        int unit = box.dtype().bytes();
        long from = box.position(first);
        byte[] held = file.read(from, Math.toIntExact(box.position(end - 1) + unit - from));
        for (long element = first; element < end; ) {
            long run = Math.min(end - element, box.contiguousFrom(element));
            System.arraycopy(
                    held,
                    (int) (box.position(element) - from),
                    target,
                    at + (int) ((element - first) * unit),
                    (int) run * unit);
            element += run;
        }
    }
}
