package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Describes the location of an operand's numbers for each row.
 *
 * @param elements a float array, or a byte array of bools
 * @param offset the index of row 0
 * @param across the distance from one row to the next
 * @param along the distance from one element of a row to the next
 * @param columns the number of elements in a row; 1 if each row has one number
 */
record RowAccess(Object elements, int offset, int across, int along, int columns) {

    /** @param shape the shape to which the operand broadcasts, of rows times columns elements */
    static RowAccess of(Array operand, Shape shape, int rows, int columns, Elementwise elementwise, Scratch scratch) {
        Array broadcast = new Array(operand.buffer(), operand.layout().expand(shape));
        Shape matrix = Shape.of(rows, columns);
        Layout layout = broadcast.layout().viewAs(matrix);
        if (layout == null) {
            broadcast = elementwise.contiguous(broadcast, scratch);
            layout = broadcast.layout().viewAs(matrix);
        }
        return new RowAccess(
                Elementwise.javaArray(broadcast),
                (int) layout.offset(),
                rows == 1 ? columns : (int) layout.stride(0),
                columns == 1 ? 1 : (int) layout.stride(1),
                columns);
    }

    /** Returns true if rows are consecutive, as they are in a tile. */
    boolean isDense() {
        return elements instanceof float[] && along == 1 && across == columns;
    }

    /** Returns true if all rows use the same elements. */
    boolean isSame() {
        return across == 0;
    }

    int at(int row) {
        return offset + row * across;
    }

    /** Copies rows to a tile. */
    void gather(int row, int count, float[] tile) {
        if (columns == 1) {
            copy(at(row), across, tile, 0, count);
            return;
        }
        for (int next = 0; next < count; next++) {
            copy(at(row + next), along, tile, next * columns, columns);
        }
    }

    private void copy(int from, int stride, float[] tile, int to, int count) {
        if (elements instanceof byte[] bools) {
            copy(bools, from, stride, tile, to, count);
        } else if (stride == 0) {
            Arrays.fill(tile, to, to + count, ((float[]) elements)[from]);
        } else if (stride == 1) {
            System.arraycopy(elements, from, tile, to, count);
        } else {
            float[] floats = (float[]) elements;
            for (int i = 0; i < count; i++) {
                tile[to + i] = floats[from + i * stride];
            }
        }
    }

    private static void copy(byte[] bools, int from, int stride, float[] tile, int to, int count) {
        if (stride == 1) {
            for (int i = 0; i < count; i++) {
                tile[to + i] = bools[from + i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            tile[to + i] = bools[from + i * stride];
        }
    }

    /** Returns true if rows can be gathered from arrays of that dtype. */
    static boolean holds(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.BOOL;
    }
}
