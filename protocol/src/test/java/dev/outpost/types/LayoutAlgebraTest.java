package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares every operation on layouts with {@link NaiveLayout}: the place of every index, not the strides. */
@Tag("quick")
class LayoutAlgebraTest {
    private static final int TRIALS = 3_000;

    /** One operation on a layout and the same on the naive model. */
    private record Step(Layout layout, NaiveLayout expected) {}

    @Test
    void permute() {
        check(LayoutAlgebraTest::permute);
    }

    @Test
    void transpose() {
        check(LayoutAlgebraTest::transpose);
    }

    @Test
    void slice() {
        check(LayoutAlgebraTest::slice);
    }

    @Test
    void select() {
        check(LayoutAlgebraTest::select);
    }

    @Test
    void squeeze() {
        check(LayoutAlgebraTest::squeeze);
    }

    @Test
    void unsqueeze() {
        check(LayoutAlgebraTest::unsqueeze);
    }

    @Test
    void expand() {
        check(LayoutAlgebraTest::expand);
    }

    @Test
    void viewAs() {
        check(LayoutAlgebraTest::viewAs);
    }

    @Test
    void longChainsOfOperations() {
        List<Operation> operations = List.of(
                LayoutAlgebraTest::permute,
                LayoutAlgebraTest::transpose,
                LayoutAlgebraTest::slice,
                LayoutAlgebraTest::select,
                LayoutAlgebraTest::squeeze,
                LayoutAlgebraTest::unsqueeze,
                LayoutAlgebraTest::viewAs);
        Trials.repeat(TRIALS, 1, random -> {
            Layout layout = NaiveLayout.randomLayout(random);
            for (int link = 0; link < 8; link++) {
                Operation operation = operations.get(random.nextInt(operations.size()));
                layout = apply(operation, layout, random);
            }
        });
    }

    @Test
    void contiguityEndAndCover() {
        Trials.repeat(TRIALS, 1, random -> {
            Layout layout = NaiveLayout.randomLayout(random);
            NaiveLayout naive = NaiveLayout.of(layout);
            assertEquals(naive.isContiguous(), layout.isContiguous(), layout::toString);
            assertEquals(naiveEnd(layout, naive), layout.end(), layout::toString);
            assertCover(layout, naive, 1 + random.nextInt(30));
            assertCover(layout, naive, layout.shape().elements());
        });
    }

    @FunctionalInterface
    private interface Operation {
        Step on(Layout layout, RandomGenerator random);
    }

    private static void check(Operation operation) {
        Trials.repeat(TRIALS, 1, random -> apply(operation, NaiveLayout.randomLayout(random), random));
    }

    private static Layout apply(Operation operation, Layout layout, RandomGenerator random) {
        Step step = operation.on(layout, random);
        assertEquals(step.expected, NaiveLayout.of(step.layout), () -> "from " + layout + " to " + step.layout);
        assertTrue(Arrays.stream(step.layout.strides()).allMatch(stride -> stride >= 0), step.layout::toString);
        return step.layout;
    }

    private static Step unchanged(Layout layout) {
        return new Step(layout, NaiveLayout.of(layout));
    }

    private static Step permute(Layout layout, RandomGenerator random) {
        List<Integer> shuffled = new java.util.ArrayList<>(
                IntStream.range(0, layout.rank()).boxed().toList());
        Collections.shuffle(shuffled, new java.util.Random(random.nextLong()));
        int[] dims = shuffled.stream().mapToInt(Integer::intValue).toArray();
        return permuted(layout, dims, layout.permute(dims));
    }

    private static Step transpose(Layout layout, RandomGenerator random) {
        if (layout.rank() == 0) {
            return unchanged(layout);
        }
        int first = random.nextInt(layout.rank());
        int second = random.nextInt(layout.rank());
        int[] dims = IntStream.range(0, layout.rank()).toArray();
        dims[first] = second;
        dims[second] = first;
        return permuted(layout, dims, layout.transpose(first, second));
    }

    private static Step permuted(Layout layout, int[] dims, Layout result) {
        long[] sizes = Arrays.stream(dims).mapToLong(layout.shape()::size).toArray();
        NaiveLayout expected = NaiveLayout.of(layout).remap(sizes, index -> {
            long[] origin = new long[index.length];
            for (int dim = 0; dim < dims.length; dim++) {
                origin[dims[dim]] = index[dim];
            }
            return origin;
        });
        return new Step(result, expected);
    }

    private static Step slice(Layout layout, RandomGenerator random) {
        if (layout.rank() == 0) {
            return unchanged(layout);
        }
        int dim = random.nextInt(layout.rank());
        long size = layout.shape().size(dim);
        long start = random.nextLong(size + 1);
        long step = 1 + random.nextInt(3);
        long length = random.nextLong((size - start + step - 1) / step + 1);
        long[] sizes = layout.shape().toArray();
        sizes[dim] = length;
        NaiveLayout expected = NaiveLayout.of(layout).remap(sizes, index -> {
            long[] origin = index.clone();
            origin[dim] = start + step * index[dim];
            return origin;
        });
        return new Step(layout.slice(dim, start, length, step), expected);
    }

    private static Step select(Layout layout, RandomGenerator random) {
        if (layout.rank() == 0 || layout.shape().isEmpty()) {
            return unchanged(layout);
        }
        int dim = random.nextInt(layout.rank());
        long at = random.nextLong(layout.shape().size(dim));
        return new Step(layout.select(dim, at), removed(layout, dim, at));
    }

    private static Step squeeze(Layout layout, RandomGenerator random) {
        if (layout.rank() == 0) {
            return unchanged(layout);
        }
        int dim = random.nextInt(layout.rank());
        boolean goes = layout.shape().size(dim) == 1;
        return new Step(layout.squeeze(dim), goes ? removed(layout, dim, 0) : NaiveLayout.of(layout));
    }

    private static NaiveLayout removed(Layout layout, int dim, long at) {
        return NaiveLayout.of(layout)
                .remap(Indices.without(layout.shape().toArray(), dim), index -> Indices.with(index, dim, at));
    }

    private static Step unsqueeze(Layout layout, RandomGenerator random) {
        int dim = random.nextInt(layout.rank() + 1);
        long[] sizes = Indices.with(layout.shape().toArray(), dim, 1);
        return new Step(layout.unsqueeze(dim), NaiveLayout.of(layout).remap(sizes, i -> Indices.without(i, dim)));
    }

    private static Step expand(Layout layout, RandomGenerator random) {
        int added = random.nextInt(3);
        long[] sizes = new long[layout.rank() + added];
        Arrays.setAll(sizes, dim -> {
            boolean free = dim < added || layout.shape().size(dim - added) == 1;
            return free ? random.nextInt(4) : layout.shape().size(dim - added);
        });
        NaiveLayout expected = NaiveLayout.of(layout).remap(sizes, index -> {
            long[] origin = Arrays.copyOfRange(index, added, index.length);
            Arrays.setAll(origin, dim -> Math.min(origin[dim], layout.shape().size(dim) - 1));
            return origin;
        });
        return new Step(layout.expand(Shape.of(sizes)), expected);
    }

    private static Step viewAs(Layout layout, RandomGenerator random) {
        Shape target = ViewTargets.random(layout.shape(), random);
        Layout view = layout.viewAs(target);
        return view == null
                ? unchanged(layout)
                : new Step(view, NaiveLayout.of(layout).reshaped(target.toArray()));
    }

    private static long naiveEnd(Layout layout, NaiveLayout naive) {
        return naive.at().isEmpty() ? layout.offset() : Collections.max(naive.at()) + 1;
    }

    private static void assertCover(Layout layout, NaiveLayout naive, long elements) {
        List<Long> whole =
                IntStream.range(0, (int) elements).mapToObj(Long::valueOf).toList();
        boolean covers = naive.at().equals(whole) && layout.offset() == 0;
        assertEquals(covers, layout.covers(elements), () -> layout + " over " + elements);
    }
}
