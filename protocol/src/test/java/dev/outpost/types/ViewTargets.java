package dev.outpost.types;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Shapes with a given number of elements. */
final class ViewTargets {
    private ViewTargets() {}

    static Shape random(Shape source, RandomGenerator random) {
        List<Shape> all = of(source.elements(), 4);
        return all.get(random.nextInt(all.size()));
    }

    /** Returns all shapes with this number of elements and at most this rank. */
    static List<Shape> of(long elements, int maxRank) {
        List<Shape> found = new ArrayList<>();
        collect(elements, maxRank, new long[0], found);
        return found;
    }

    private static void collect(long rest, int moreDims, long[] sizes, List<Shape> found) {
        if (rest == 1 || rest == 0 && Shape.of(sizes).isEmpty()) {
            found.add(Shape.of(sizes));
        }
        if (moreDims == 0) {
            return;
        }
        for (long size = rest == 0 ? 0 : 1; size <= Math.max(rest, 2); size++) {
            boolean divides = rest == 0 || rest % size == 0;
            if (divides) {
                collect(rest == 0 ? 0 : rest / size, moreDims - 1, Indices.with(sizes, sizes.length, size), found);
            }
        }
    }
}
