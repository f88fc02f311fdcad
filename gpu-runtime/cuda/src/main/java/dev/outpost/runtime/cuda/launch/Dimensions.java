package dev.outpost.runtime.cuda.launch;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes and strides of a loop over arrays of one shape, with as few dimensions as possible. Dimensions of size 1 are dropped, and
 * neighbours are joined if the outer one continues the inner one in every array. At least one dimension remains.
 *
 * @param sizes the size of each dimension, the innermost last
 * @param strides the strides of each array along each dimension
 */
public record Dimensions(long[] sizes, long[][] strides) {

    /** Returns the dimensions for arrays of one shape that have these layouts. */
    public static Dimensions of(Shape shape, Layout... layouts) {
        long[][] strides = new long[layouts.length][];
        for (int array = 0; array < layouts.length; array++) {
            strides[array] = layouts[array].strides();
        }
        return of(shape.toArray(), strides);
    }

    /** Returns the dimensions for arrays of these sizes that have these strides. */
    public static Dimensions of(long[] sizes, long[]... strides) {
        List<Long> kept = new ArrayList<>();
        List<long[]> steps = new ArrayList<>();
        for (int dim = 0; dim < sizes.length; dim++) {
            if (sizes[dim] == 1) {
                continue;
            }
            long[] step = new long[strides.length];
            for (int array = 0; array < strides.length; array++) {
                step[array] = strides[array][dim];
            }
            int last = kept.size() - 1;
            if (last >= 0 && continues(steps.get(last), step, sizes[dim])) {
                kept.set(last, kept.get(last) * sizes[dim]);
                steps.set(last, step);
            } else {
                kept.add(sizes[dim]);
                steps.add(step);
            }
        }
        if (kept.isEmpty()) {
            kept.add(1L);
            steps.add(new long[strides.length]);
        }
        return assembled(kept, steps, strides.length);
    }

    private static boolean continues(long[] outer, long[] inner, long size) {
        for (int array = 0; array < outer.length; array++) {
            if (outer[array] != inner[array] * size) {
                return false;
            }
        }
        return true;
    }

    private static Dimensions assembled(List<Long> sizes, List<long[]> steps, int arrays) {
        int rank = sizes.size();
        long[][] strides = new long[arrays][rank];
        for (int dim = 0; dim < rank; dim++) {
            for (int array = 0; array < arrays; array++) {
                strides[array][dim] = steps.get(dim)[array];
            }
        }
        return new Dimensions(sizes.stream().mapToLong(Long::longValue).toArray(), strides);
    }

    public int rank() {
        return sizes.length;
    }

    public long elements() {
        long product = 1;
        for (long size : sizes) {
            product *= size;
        }
        return product;
    }

    /** Returns true if the numbers of elements need more than 31 bits. */
    public boolean isWide() {
        return elements() > Integer.MAX_VALUE;
    }

    public long innermostSize() {
        return sizes[rank() - 1];
    }

    public long innermostStride(int array) {
        return strides[array][rank() - 1];
    }
}
