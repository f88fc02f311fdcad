package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;
import java.util.Comparator;

final class Sorting {
    private Sorting() {}

    static void sort(Sort op, Array x, Array values, Array indices) {
        Line source = new Line(x, op.axis());
        Line sorted = new Line(values, op.axis());
        Line origins = new Line(indices, op.axis());
        Comparator<Integer> ascending = order(source, x.dtype().isFloating());
        Comparator<Integer> order = op.descending() ? ascending.reversed() : ascending;
        for (long rest = source.lines(); rest > 0; rest--) {
            source.moveToNext();
            sorted.moveToNext();
            origins.moveToNext();
            sortLine(order, source, sorted, origins);
        }
    }

    /** Sorts stably in both directions: reversing the comparison keeps the order of equals. */
    private static void sortLine(Comparator<Integer> order, Line source, Line sorted, Line origins) {
        Integer[] origin = new Integer[source.length()];
        Arrays.setAll(origin, index -> index);
        Arrays.sort(origin, order);
        for (int index = 0; index < origin.length; index++) {
            sorted.putFrom(index, source, origin[index]);
            origins.put(index, origin[index].longValue());
        }
    }

    private static Comparator<Integer> order(Line line, boolean floating) {
        return floating
                ? (left, right) -> compare(line.getDouble(left), line.getDouble(right))
                : (left, right) -> Long.compare(line.getLong(left), line.getLong(right));
    }

    /** Compares numbers; NaN is the largest. Unlike {@link Double#compare}, both zeros are equal. */
    private static int compare(double left, double right) {
        if (left == right) {
            return 0;
        }
        return left < right ? -1 : Double.compare(left, right);
    }
}
