package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.protocol.op.Axes;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A contiguous array seen as {@code [outer, length, inner]}. The middle dimension is the one to fold, scan, search or sort.
 *
 * @param array an array of any shape with that number of elements
 */
public record Volume(Array array, int outer, int length, int inner) {

    /**
     * Puts the folded dimensions in the middle if they are neighbours, otherwise after the others. This depends only on the shape.
     * Copies the array if it is not contiguous or has another dtype.
     */
    public static Volume fold(Array operand, Axes axes, DType dtype, Elementwise elementwise, Scratch scratch) {
        int[] dims = IntStream.range(0, operand.shape().rank()).toArray();
        int[] order = areNeighbours(operand.shape(), axes) ? dims : behind(dims, axes);
        Layout arranged = operand.layout().permute(order);
        Array dense = elementwise.contiguous(new Array(operand.buffer(), arranged), dtype, scratch);
        int folded = 1;
        int inner = 1;
        boolean within = false;
        for (int dim = order.length - 1; dim >= 0; dim--) {
            int size = (int) arranged.shape().size(dim);
            if (axes.contains(order[dim])) {
                folded *= size;
                within |= size != 1;
            } else if (!within) {
                inner *= size;
            }
        }
        int outer = (int) arranged.shape().elements() / Math.max(folded * inner, 1);
        return new Volume(dense, outer, folded, inner);
    }

    /** Keeps the order of dimensions. */
    public static Volume along(Array operand, int axis, DType dtype, Elementwise elementwise, Scratch scratch) {
        return fold(operand, Axes.of(axis), dtype, elementwise, scratch);
    }

    /** Returns the index of element 0 in the Java array. */
    public int offset() {
        return (int) array.layout().offset();
    }

    /** Returns the order of dimensions that makes one of them the last. */
    static int[] lastly(int axis, int rank) {
        return behind(IntStream.range(0, rank).toArray(), Axes.of(axis));
    }

    private static boolean areNeighbours(Shape shape, Axes axes) {
        int runs = 0;
        boolean before = false;
        for (int dim = 0; dim < shape.rank(); dim++) {
            if (shape.size(dim) != 1) {
                runs += axes.contains(dim) && !before ? 1 : 0;
                before = axes.contains(dim);
            }
        }
        return runs <= 1;
    }

    private static int[] behind(int[] dims, Axes axes) {
        return IntStream.concat(
                        Arrays.stream(dims).filter(dim -> !axes.contains(dim)),
                        Arrays.stream(dims).filter(axes::contains))
                .toArray();
    }
}
