package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Walks over several arrays at once along one shape, with as few dimensions as possible. Dimensions of size 1 are
 * dropped, and neighbouring dimensions are joined if every array can walk them as one. The innermost dimension is
 * walked by an {@link ArrayLoop}, the others by this class. Positions are counted in elements of the walk.
 */
final class Iteration {
    /** The size of an innermost dimension below which entering its loop takes longer than running it. */
    private static final int SHORT = 16;

    /** The number of elements in a piece. In a transposed array, each of them is in another cache line. */
    private static final int TILE = 32;

    /** A dimension with its size and each array's stride. */
    private record Dim(int size, int[] strides) {
        boolean continues(Dim inner) {
            for (int array = 0; array < strides.length; array++) {
                if (strides[array] != inner.size * inner.strides[array]) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Dim> outer;
    private final Dim inner;
    private final int[] offsets;
    private final int elements;

    private Iteration(List<Dim> dims, int[] offsets, int elements) {
        this.outer = dims.subList(0, dims.size() - 1);
        this.inner = dims.getLast();
        this.offsets = offsets;
        this.elements = elements;
    }

    /** Walks in row-major order of the shape, to which every layout must broadcast. */
    static Iteration inOrder(Shape shape, Layout... layouts) {
        List<Dim> dims = new ArrayList<>();
        Layout[] expanded = new Layout[layouts.length];
        int[] offsets = new int[layouts.length];
        for (int array = 0; array < layouts.length; array++) {
            expanded[array] = layouts[array].expand(shape);
            offsets[array] = (int) layouts[array].offset();
        }
        for (int dim = 0; dim < shape.rank(); dim++) {
            append(dims, dim(expanded, shape, dim));
        }
        if (dims.isEmpty()) {
            int[] ones = new int[layouts.length];
            Arrays.fill(ones, 1);
            dims.add(new Dim((int) shape.elements(), ones));
        }
        return new Iteration(dims, offsets, Math.toIntExact(shape.elements()));
    }

    /** Walks in an order that is fast, for loops that compute each element independently of the others. */
    static Iteration inAnyOrder(Shape shape, Layout... layouts) {
        Iteration ordered = inOrder(shape, layouts);
        Iteration inside = ordered.inner.size < SHORT ? ordered.longestInside() : ordered;
        return inside.inTiles();
    }

    private static Dim dim(Layout[] layouts, Shape shape, int dim) {
        int[] strides = new int[layouts.length];
        for (int array = 0; array < layouts.length; array++) {
            strides[array] = (int) layouts[array].stride(dim);
        }
        return new Dim((int) shape.size(dim), strides);
    }

    private static void append(List<Dim> dims, Dim dim) {
        if (dim.size == 1) {
            return;
        }
        boolean joins = !dims.isEmpty() && dims.getLast().continues(dim);
        Dim joined = joins ? new Dim(dims.removeLast().size * dim.size, dim.strides) : dim;
        dims.add(joined);
    }

    private Iteration longestInside() {
        List<Dim> dims = new ArrayList<>(outer);
        dims.add(inner);
        Dim longest = inner;
        for (Dim dim : outer) {
            longest = dim.size > 2 * longest.size ? dim : longest;
        }
        dims.remove(longest);
        dims.add(longest);
        return new Iteration(dims, offsets, elements);
    }

    /**
     * If an array is transposed relative to the others, walks short pieces of the innermost dimension. Then the cache still holds the
     * lines that the array's next piece touches. Applies only if the size is a multiple of the piece.
     */
    private Iteration inTiles() {
        for (int dim = 0; dim < outer.size(); dim++) {
            if (inner.size > TILE && inner.size % TILE == 0 && isTurned(outer.get(dim))) {
                List<Dim> dims = new ArrayList<>(outer);
                Dim across = dims.remove(dim);
                int[] steps = Arrays.stream(inner.strides)
                        .map(stride -> stride * TILE)
                        .toArray();
                dims.add(new Dim(inner.size / TILE, steps));
                dims.add(across);
                dims.add(new Dim(TILE, inner.strides));
                return new Iteration(dims, offsets, elements);
            }
        }
        return this;
    }

    private boolean isTurned(Dim dim) {
        boolean turned = false;
        for (int array = 0; array < offsets.length; array++) {
            turned |= dim.strides[array] == 1 && inner.strides[array] >= TILE;
        }
        return turned && dim.size >= TILE;
    }

    int elements() {
        return elements;
    }

    /** Returns the accesses of the arrays in the innermost dimension. The last access belongs to the result. */
    List<Access> accesses() {
        Access[] accesses = new Access[offsets.length];
        int result = offsets.length - 1;
        for (int array = 0; array < accesses.length; array++) {
            Access access = Access.of(inner.strides[array]);
            boolean beside = access == Access.UNIT && moveAlike(array, result);
            accesses[array] = beside ? Access.ALIGNED : access;
        }
        return List.of(accesses);
    }

    private boolean moveAlike(int one, int other) {
        boolean alike = offsets[one] == offsets[other] && inner.strides[one] == inner.strides[other];
        for (Dim dim : outer) {
            alike &= dim.strides[one] == dim.strides[other];
        }
        return alike;
    }

    /** Runs a loop over the elements {@code from} to {@code to} of the walk. */
    void run(ArrayLoop loop, Object[] arrays, int from, int to) {
        int[] index = new int[outer.size()];
        int[] row = offsets.clone();
        locate(from / inner.size, index, row);
        int[] place = new int[row.length];
        int column = from % inner.size;
        for (int done = from; done < to; ) {
            int count = Math.min(inner.size - column, to - done);
            for (int array = 0; array < row.length; array++) {
                place[array] = row[array] + column * inner.strides[array];
            }
            loop.run(arrays, place, inner.strides, count);
            done += count;
            column = 0;
            advance(index, row);
        }
    }

    private void locate(int rowNumber, int[] index, int[] row) {
        int rest = rowNumber;
        for (int dim = index.length - 1; dim >= 0; dim--) {
            index[dim] = rest % outer.get(dim).size;
            rest /= outer.get(dim).size;
            move(row, outer.get(dim), index[dim]);
        }
    }

    private void advance(int[] index, int[] row) {
        for (int dim = index.length - 1; dim >= 0; dim--) {
            move(row, outer.get(dim), 1);
            if (++index[dim] < outer.get(dim).size) {
                return;
            }
            move(row, outer.get(dim), -index[dim]);
            index[dim] = 0;
        }
    }

    private static void move(int[] row, Dim dim, int steps) {
        for (int array = 0; array < row.length; array++) {
            row[array] += steps * dim.strides[array];
        }
    }
}
