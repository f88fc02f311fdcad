package dev.outpost;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/**
 * The numbers of a program that each run is given anew, and the step counts that they come from. Counts that were equal
 * while it was traced share their numbers; a trace where they have become different is not used.
 */
final class TracedNumbers {
    private record Key(Object name, long steps) {}

    private record Column(StepCount count, long ahead, LongToDoubleFunction formula) {}

    private static final class Counted {
        long start;
        long ahead;
        StepCount representative;
    }

    private final Map<StepCount, Counted> counts = new IdentityHashMap<>();
    private final Map<Long, StepCount> byStart = new LinkedHashMap<>();
    private final Map<Key, LiveNumber> known = new LinkedHashMap<>();
    private final List<Column> asked = new ArrayList<>();

    /** Those of the asked for that stand in an instruction: the others are nothing that a run could be given. */
    private final List<Column> columns = new ArrayList<>();

    private final Map<Integer, Integer> columnOf = new HashMap<>();

    /** How many steps a count has gone by what was traced so far. */
    long ahead(StepCount count) {
        return counted(count).ahead;
    }

    void advance(StepCount count, long more) {
        counted(count).ahead += more;
    }

    private Counted counted(StepCount count) {
        return counts.computeIfAbsent(count, added -> {
            Counted counted = new Counted();
            counted.start = added.held();
            counted.representative = byStart.computeIfAbsent(counted.start, start -> added);
            return counted;
        });
    }

    LiveNumber number(StepCount count, Object name, LongToDoubleFunction formula) {
        Counted counted = counted(count);
        return known.computeIfAbsent(new Key(name, counted.start + counted.ahead), key -> {
            asked.add(new Column(counted.representative, counted.ahead, formula));
            return new LiveNumber(formula.applyAsDouble(key.steps), asked.size() - 1);
        });
    }

    /** The column of a number that stands in an instruction. */
    int column(Operand.Immediate immediate) {
        if (!immediate.scalar().dtype().isFloating()) {
            throw Trace.refusal(
                    "program",
                    "a number that changes must be floating, got "
                            + immediate.scalar().dtype());
        }
        return columnOf.computeIfAbsent(immediate.live().number(), number -> {
            columns.add(asked.get(number));
            return columns.size() - 1;
        });
    }

    int columns() {
        return columns.size();
    }

    /** Whether counts that were equal are so still. */
    boolean hold() {
        for (Map.Entry<StepCount, Counted> entry : counts.entrySet()) {
            if (entry.getKey().held() != entry.getValue().representative.held()) {
                return false;
            }
        }
        return true;
    }

    /** For each column the bits of its number in each of so many runs, up to where it does not change any more. */
    long[][] bits(long runs) {
        long[][] bits = new long[columns.size()][];
        for (int column = 0; column < bits.length; column++) {
            bits[column] = bits(columns.get(column), runs);
        }
        return bits;
    }

    private long[] bits(Column column, long runs) {
        long start = column.count.held() + column.ahead;
        long stride = counts.get(column.count).ahead;
        long[] bits = new long[Math.toIntExact(Math.min(runs, LiveNumber.MOST))];
        for (int run = 0; run < bits.length; run++) {
            bits[run] = Scalar.of(DType.FLOAT64, column.formula.applyAsDouble(start + run * stride))
                    .bits();
        }
        int length = bits.length;
        while (length > 1 && bits[length - 1] == bits[length - 2]) {
            length--;
        }
        if (bits.length < runs && length == bits.length) {
            throw Trace.refusal(
                    "scan",
                    "a number changes in more than " + LiveNumber.MOST + " runs, got " + runs
                            + "; scan in several calls");
        }
        return Arrays.copyOf(bits, length);
    }

    /** What so many runs have advanced. */
    void advanced(long runs) {
        counts.forEach((count, counted) -> count.add(runs * counted.ahead));
    }

    /** As {@link #advanced}, where how many it were is known later. */
    void advancing(Scan scan) {
        counts.forEach((count, counted) -> {
            if (counted.ahead > 0) {
                count.addLater(scan, counted.ahead);
            }
        });
    }
}
