package dev.outpost.onnx.export;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Writes a view of a dense value as nodes. If the strides are those of a transposition with repeated dimensions, it writes a
 * transposition. All other views gather elements from the flat value by index.
 */
final class StridedView {
    private StridedView() {}

    static String write(GraphWriter out, String value, Shape shape, Layout layout) {
        long[] sizes = layout.shape().toArray();
        if (layout.isContiguous() && layout.offset() == 0 && layout.shape().elements() == shape.elements()) {
            return out.node("Reshape", value, out.constant(sizes));
        }
        int[] walked = walked(layout);
        return isWhole(layout, walked, shape.elements())
                ? transposed(out, value, layout, walked)
                : looked(out, value, layout);
    }

    /** Returns the dimensions with a stride, from the largest stride to the smallest. */
    private static int[] walked(Layout layout) {
        return IntStream.range(0, layout.rank())
                .filter(dim -> layout.shape().size(dim) > 1 && layout.stride(dim) != 0)
                .boxed()
                .sorted(Comparator.comparingLong(dim -> -layout.stride(dim)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** True if the dimensions, in this order, visit all elements once. */
    private static boolean isWhole(Layout layout, int[] walked, long elements) {
        long next = 1;
        for (int place = walked.length - 1; place >= 0; place--) {
            if (layout.stride(walked[place]) != next) {
                return false;
            }
            next *= layout.shape().size(walked[place]);
        }
        return next == elements && layout.offset() == 0;
    }

    private static String transposed(GraphWriter out, String value, Layout layout, int[] walked) {
        long[] sizes =
                Arrays.stream(walked).mapToLong(dim -> layout.shape().size(dim)).toArray();
        long[] order = IntStream.range(0, walked.length)
                .boxed()
                .sorted(Comparator.comparingInt(place -> walked[place]))
                .mapToLong(Integer::longValue)
                .toArray();
        String turned =
                out.node("Transpose", Attributes.of("perm", order), out.node("Reshape", value, out.constant(sizes)));
        long[] narrow = layout.shape().toArray();
        for (int dim = 0; dim < narrow.length; dim++) {
            narrow[dim] = layout.stride(dim) == 0 ? 1 : narrow[dim];
        }
        String placed = out.node("Reshape", turned, out.constant(narrow));
        return out.node("Expand", placed, out.constant(layout.shape().toArray()));
    }

    private static String looked(GraphWriter out, String value, Layout layout) {
        long[] indices = new long[Math.toIntExact(layout.shape().elements())];
        long[] index = new long[layout.rank()];
        for (int place = 0; place < indices.length; place++) {
            indices[place] = layout.offset();
            for (int dim = 0; dim < index.length; dim++) {
                indices[place] += index[dim] * layout.stride(dim);
            }
            step(index, layout.shape());
        }
        String flat = out.node("Reshape", value, out.constant(-1L));
        String found = out.node("Gather", flat, out.constant(indices));
        return out.node("Reshape", found, out.constant(layout.shape().toArray()));
    }

    private static void step(long[] index, Shape shape) {
        for (int dim = index.length - 1; dim >= 0; dim--) {
            index[dim]++;
            if (index[dim] < shape.size(dim)) {
                return;
            }
            index[dim] = 0;
        }
    }
}
