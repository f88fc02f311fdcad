package dev.outpost.types;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The naive model of a layout: a table from every index to a place in storage. Operations on it look indices up and do
 * no arithmetic on strides.
 *
 * @param sizes the sizes of the dimensions
 * @param at the places, by index in row-major order
 */
record NaiveLayout(long[] sizes, List<Long> at) {

    static NaiveLayout of(Layout layout) {
        return new NaiveLayout(layout.shape().toArray(), places(layout));
    }

    /** Returns a layout of another shape, each of whose indices is mapped to an index of this one. */
    NaiveLayout remap(long[] newSizes, Function<long[], long[]> origin) {
        List<Long> places = new ArrayList<>();
        indices(newSizes).forEach(index -> places.add(place(origin.apply(index))));
        return new NaiveLayout(newSizes, places);
    }

    NaiveLayout reshaped(long[] newSizes) {
        return new NaiveLayout(newSizes, at);
    }

    boolean isInjective() {
        return at.stream().distinct().count() == at.size();
    }

    /** True if the positions follow each other without gaps. */
    boolean isContiguous() {
        for (int index = 1; index < at.size(); index++) {
            if (at.get(index) != at.get(index - 1) + 1) {
                return false;
            }
        }
        return true;
    }

    private long place(long[] index) {
        int flat = 0;
        for (int dim = 0; dim < sizes.length; dim++) {
            flat = (int) (flat * sizes[dim] + index[dim]);
        }
        return at.get(flat);
    }

    /** All indices of a shape in row-major order. */
    static List<long[]> indices(long[] sizes) {
        List<long[]> all = new ArrayList<>();
        long count = Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
        for (long flat = 0; flat < count; flat++) {
            all.add(unravel(flat, sizes));
        }
        return all;
    }

    private static long[] unravel(long flat, long[] sizes) {
        long[] index = new long[sizes.length];
        long rest = flat;
        for (int dim = sizes.length - 1; dim >= 0; dim--) {
            index[dim] = rest % sizes[dim];
            rest /= sizes[dim];
        }
        return index;
    }

    private static List<Long> places(Layout layout) {
        List<Long> places = new ArrayList<>();
        for (long[] index : indices(layout.shape().toArray())) {
            long place = layout.offset();
            for (int dim = 0; dim < index.length; dim++) {
                place += index[dim] * layout.stride(dim);
            }
            places.add(place);
        }
        return places;
    }

    /** Returns a random small layout, which may overlap, be empty or have gaps. */
    static Layout randomLayout(RandomGenerator random) {
        int rank = random.nextInt(5);
        long[] sizes = new long[rank];
        long[] strides = new long[rank];
        Arrays.setAll(sizes, dim -> random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(4));
        Arrays.setAll(strides, dim -> random.nextInt(13));
        boolean dense = random.nextBoolean();
        return Layout.of(Shape.of(sizes), dense ? Shape.of(sizes).contiguousStrides() : strides, random.nextInt(5));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NaiveLayout naive && Arrays.equals(sizes, naive.sizes) && at.equals(naive.at);
    }

    @Override
    public int hashCode() {
        return at.hashCode();
    }

    @Override
    public String toString() {
        return Arrays.toString(sizes) + " at " + at;
    }
}
