package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import java.util.Arrays;

/**
 * Folds a block of rows into one by repeatedly joining its four quarters pairwise into one quarter. The quarters are first copied to
 * separate arrays, because the JIT vectorises only loops whose arrays share an index. Used by one thread.
 */
final class BlockReduction {
    private static final int WAYS = 4;

    /** The loops that join four rows and two. */
    record Joins(ArrayLoop four, ArrayLoop two) {
        static Joins of(Binary combine, DType dtype, Elementwise elementwise) {
            return new Joins(loop(WAYS, combine, dtype, elementwise), loop(2, combine, dtype, elementwise));
        }

        private static ArrayLoop loop(int operands, Binary combine, DType dtype, Elementwise elementwise) {
            Access[] accesses = new Access[operands + 1];
            Arrays.fill(accesses, Access.ALIGNED);
            return elementwise.loop(Expression.pairwise(combine, dtype, operands), accesses);
        }
    }

    private final Joins joins;
    private final Object source;
    private final Object target;
    private final int rowStride;
    /** The arrays of the four quarters. Lane 0 also takes the remaining rows. */
    private final Object[] lanes = new Object[WAYS];

    private final Object[] allLanes;
    private final Object[] twoLanes;
    private final int[] zeros = new int[WAYS + 1];

    /**
     * @param rows the number of rows in the largest block
     * @param columns the number of columns in the largest block
     * @param rowStride the distance between the source's rows
     */
    BlockReduction(Joins joins, Array source, Array target, int rows, int columns, int rowStride) {
        this.joins = joins;
        this.source = Elementwise.javaArray(source);
        this.target = Elementwise.javaArray(target);
        this.rowStride = rowStride;
        int quarter = Math.max(rows / WAYS, 1) * columns;
        for (int lane = 0; lane < WAYS; lane++) {
            // Lane 0 also takes up to three remainder rows after its quarter.
            int size = lane == 0 ? quarter + (WAYS - 1) * columns : quarter;
            lanes[lane] = HeapBuffer.allocate(target.dtype(), size).array();
        }
        allLanes = new Object[] {lanes[0], lanes[1], lanes[2], lanes[3], lanes[0]};
        twoLanes = new Object[] {lanes[0], lanes[1], lanes[0]};
    }

    /** Folds rows and writes one row of that number of columns. */
    void fold(int from, int rows, int columns, int to) {
        int left = read(from, rows, columns);
        while (left >= WAYS) {
            int quarter = left / WAYS * columns;
            for (int lane = 1; lane < WAYS; lane++) {
                System.arraycopy(lanes[0], lane * quarter, lanes[lane], 0, quarter);
            }
            joins.four.run(allLanes, zeros, zeros, quarter);
            System.arraycopy(lanes[0], WAYS * quarter, lanes[0], quarter, left % WAYS * columns);
            left = left / WAYS + left % WAYS;
        }
        for (int row = 1; row < left; row++) {
            System.arraycopy(lanes[0], row * columns, lanes[1], 0, columns);
            joins.two.run(twoLanes, zeros, zeros, columns);
        }
        System.arraycopy(lanes[0], 0, target, to, columns);
    }

    /** Reads the source and joins the quarters once. Returns the number of rows in lane 0 afterwards. */
    private int read(int from, int rows, int columns) {
        int quarter = rows / WAYS;
        int over = rows % WAYS;
        if (quarter > 0) {
            for (int lane = 0; lane < WAYS; lane++) {
                copyRows(from + lane * quarter * rowStride, quarter, columns, lanes[lane], 0);
            }
            joins.four.run(allLanes, zeros, zeros, quarter * columns);
        }
        copyRows(from + WAYS * quarter * rowStride, over, columns, lanes[0], quarter * columns);
        return quarter + over;
    }

    private void copyRows(int from, int rows, int columns, Object lane, int at) {
        if (columns == rowStride) {
            System.arraycopy(source, from, lane, at, rows * columns);
            return;
        }
        for (int row = 0; row < rows; row++) {
            System.arraycopy(source, from + row * rowStride, lane, at + row * columns, columns);
        }
    }
}
