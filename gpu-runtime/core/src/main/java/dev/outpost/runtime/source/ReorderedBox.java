package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A box of a tensor whose elements have a different order in the file. It is read in parts that follow each other in
 * the file, so that no byte is read twice. Each part is a smaller box whose elements form several runs in the tensor.
 */
final class ReorderedBox {
    /** The maximum number of bytes that are read at once. */
    private static final long MAX_HELD = 16L << 20;

    /**
     * The shortest run in bytes that is written to the engine separately. For shorter runs it costs less to read the
     * file several times.
     */
    private static final int MIN_RUN_BYTES = 256;

    private final long[] sizes;
    /** Distances between elements in the file, in elements, by dimension. */
    private final long[] strides;

    private final long begin;
    private final int unit;

    /**
     * @param begin the byte position of the first element in the file
     * @param strides distances between elements in the file, in elements
     * @param unit the bytes of an element
     */
    ReorderedBox(long begin, long[] sizes, long[] strides, int unit) {
        this.begin = begin;
        this.sizes = sizes.clone();
        this.strides = strides.clone();
        this.unit = unit;
    }

    /** Returns the parts in the order of the file, of at most this number of elements each. */
    List<Part> parts(int maxElements) {
        int[] order = IntStream.range(0, sizes.length)
                .boxed()
                .sorted(Comparator.comparing((Integer dim) -> strides[dim]).reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        List<Part> parts = new ArrayList<>();
        if (Arrays.stream(sizes).noneMatch(size -> size == 0)) {
            addParts(order, 0, new long[sizes.length], sizes.clone(), maxElements, parts);
        }
        return parts;
    }

    /** True if the runs of these parts are long enough to be written separately. */
    boolean hasLongRuns(List<Part> parts) {
        return parts.stream().allMatch(part -> part.run() == part.count() || (long) part.run() * unit >= MIN_RUN_BYTES);
    }

    private void addParts(int[] order, int place, long[] starts, long[] shape, int maxElements, List<Part> parts) {
        if (product(shape) <= maxElements) {
            parts.add(new Part(starts.clone(), shape.clone()));
            return;
        }
        int dim = order[place];
        long step = Math.max(1, maxElements / (product(shape) / shape[dim]));
        for (long start = 0; start < sizes[dim]; start += step) {
            starts[dim] = start;
            shape[dim] = Math.min(step, sizes[dim] - start);
            addParts(order, place + 1, starts, shape, maxElements, parts);
        }
        starts[dim] = 0;
        shape[dim] = sizes[dim];
    }

    private static long product(long[] shape) {
        return Arrays.stream(shape).reduce(1, (one, other) -> one * other);
    }

    /** A smaller box within the box. */
    final class Part {
        private final long[] starts;
        private final long[] shape;
        private final int count;
        private final int run;

        private Part(long[] starts, long[] shape) {
            this.starts = starts;
            this.shape = shape;
            this.count = (int) product(shape);
            int dim = shape.length;
            long elements = 1;
            while (dim > 0) {
                dim--;
                elements *= shape[dim];
                if (shape[dim] != sizes[dim]) {
                    break;
                }
            }
            this.run = (int) elements;
        }

        int count() {
            return count;
        }

        /** Returns the number of elements that are consecutive both in this part and in the tensor. */
        int run() {
            return run;
        }

        /** Returns the row-major position in the tensor of an element of this part. */
        long inTensor(int element) {
            long place = 0;
            long rest = element;
            long distance = 1;
            for (int dim = shape.length - 1; dim >= 0; dim--) {
                place += (starts[dim] + rest % shape[dim]) * distance;
                rest /= shape[dim];
                distance *= sizes[dim];
            }
            return place;
        }

        /** Reads the elements, row-major. */
        byte[] read(ReadableBytes file) throws IOException {
            byte[] target = new byte[Math.multiplyExact(count, unit)];
            long first = begin;
            long last = begin;
            for (int dim = 0; dim < shape.length; dim++) {
                first += starts[dim] * strides[dim] * unit;
                last += (starts[dim] + shape[dim] - 1) * strides[dim] * unit;
            }
            long piece = MAX_HELD / unit * unit;
            for (long from = first; from <= last; from += piece) {
                byte[] held = file.read(from, (int) Math.min(piece, last + unit - from));
                pick(first - from, held, target);
            }
            return target;
        }

        /** Copies the elements that lie in the bytes that were read. */
        private void pick(long offset, byte[] held, byte[] target) {
            long[] index = new long[shape.length];
            long at = offset;
            for (int element = 0; element < count; element++) {
                if (at >= 0 && at < held.length) {
                    System.arraycopy(held, (int) at, target, element * unit, unit);
                }
                for (int dim = shape.length - 1; dim >= 0; dim--) {
                    at += strides[dim] * unit;
                    if (++index[dim] < shape[dim]) {
                        break;
                    }
                    at -= shape[dim] * strides[dim] * unit;
                    index[dim] = 0;
                }
            }
        }
    }
}
