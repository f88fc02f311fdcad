package dev.outpost.runtime.engine.factorization;

import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.OpException;

/** Converts a sequence of row exchanges to an order of rows. */
final class PivotOrders {
    private PivotOrders() {}

    static void run(PivotOrder op, Array pivots, Array orders) {
        MatrixBatch exchanges = MatrixBatch.ofVectors(pivots);
        MatrixBatch results = MatrixBatch.ofVectors(orders);
        long[] order = results.buffer().longs();
        for (int number = 0; number < exchanges.count(); number++) {
            int first = results.offset(number);
            for (int row = 0; row < op.rows(); row++) {
                order[first + row] = row;
            }
            for (int step = 0; step < exchanges.length(); step++) {
                int with = first + row(op, exchanges, number, step);
                long moved = order[first + step];
                order[first + step] = order[with];
                order[with] = moved;
            }
        }
    }

    private static int row(PivotOrder op, MatrixBatch exchanges, int number, int step) {
        int pivot = exchanges.buffer().ints()[exchanges.offset(number) + step * exchanges.stride()];
        if (pivot < 1 || pivot > op.rows()) {
            throw new OpException(
                    op.label(),
                    "pivots are numbers of rows, from 1 to " + op.rows() + ", got " + pivot + " in step " + step);
        }
        return pivot - 1;
    }
}
