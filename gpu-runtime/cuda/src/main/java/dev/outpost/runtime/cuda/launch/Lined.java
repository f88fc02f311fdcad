package dev.outpost.runtime.cuda.launch;

import dev.outpost.types.Layout;
import java.util.stream.IntStream;

/** The lines along one dimension of some arrays of one shape, and a walk over the other dimensions, which are the starts of the lines. */
public record Lined(Dimensions starts, long lines, long length, long[] strides) {

    /** @param layouts layouts with equal sizes in all dimensions but the axis; the first one's size counts there */
    public static Lined along(int axis, Layout... layouts) {
        long[] sizes = layouts[0].shape().toArray();
        boolean[] isAxis = new boolean[sizes.length];
        isAxis[axis] = true;
        long[][] others = new long[layouts.length][];
        long[] strides = new long[layouts.length];
        for (int array = 0; array < layouts.length; array++) {
            others[array] = pick(layouts[array].strides(), isAxis, false);
            strides[array] = layouts[array].stride(axis);
        }
        Dimensions starts = Dimensions.of(pick(sizes, isAxis, false), others);
        return new Lined(starts, starts.elements(), sizes[axis], strides);
    }

    /** Returns the chosen dimensions, or the others. */
    public static Dimensions dimensions(long[] sizes, long[] strides, boolean[] chosen, boolean which) {
        return Dimensions.of(pick(sizes, chosen, which), pick(strides, chosen, which));
    }

    private static long[] pick(long[] values, boolean[] chosen, boolean which) {
        return IntStream.range(0, values.length)
                .filter(dim -> chosen[dim] == which)
                .mapToLong(dim -> values[dim])
                .toArray();
    }
}
