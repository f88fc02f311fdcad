package dev.outpost.client.program;

import dev.outpost.client.numbers.LiveNumber;
import dev.outpost.client.numbers.LiveScalar;
import dev.outpost.client.numbers.StepCounter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;

/**
 * The numbers of a program that each run is given anew, and the step counts that they come from. Counts that were equal
 * while it was traced share their numbers; a trace where they have become different is not used.
 */
public final class TracedNumbers {
    private record Key(Object name, long steps) {}

    private record Column(StepCounter count, long ahead, LongToDoubleFunction formula) {}

    private static final class Counted {
        long start;
        long ahead;
        StepCounter representative;
    }

    private final Map<StepCounter, Counted> counts = new IdentityHashMap<>();
    private final Map<Long, StepCounter> byStart = new LinkedHashMap<>();
    private final Map<Key, LiveNumber> known = new LinkedHashMap<>();
    private final List<Column> asked = new ArrayList<>();

    /** Those of the asked for that stand in an instruction: the others are nothing that a run could be given. */
    private final List<Column> columns = new ArrayList<>();

    private final Map<Integer, Integer> columnOf = new HashMap<>();

    /** How many steps a count has gone by what was traced so far. */
    long ahead(StepCounter count) {
        return counted(count).ahead;
    }

    void advance(StepCounter count, long more) {
        counted(count).ahead += more;
    }

    private Counted counted(StepCounter count) {
        return counts.computeIfAbsent(count, added -> {
            Counted counted = new Counted();
            counted.start = added.counted();
            counted.representative = byStart.computeIfAbsent(counted.start, start -> added);
            return counted;
        });
    }

    LiveNumber number(StepCounter count, Object name, LongToDoubleFunction formula) {
        Counted counted = counted(count);
        return known.computeIfAbsent(new Key(name, counted.start + counted.ahead), key -> {
            asked.add(new Column(counted.representative, counted.ahead, formula));
            return new LiveNumber(formula.applyAsDouble(key.steps), asked.size() - 1);
        });
    }

    /** The column of a number that stands in an instruction. */
    int column(LiveScalar live) {
        if (!live.scalar().dtype().isFloating()) {
            throw ProgramRecorder.refusal(
                    "program",
                    "a number that changes must be floating, got "
                            + live.scalar().dtype());
        }
        return columnOf.computeIfAbsent(live.number().place(), number -> {
            columns.add(asked.get(number));
            return columns.size() - 1;
        });
    }

    int columns() {
        return columns.size();
    }

    /** Whether counts that were equal are so still. */
    public boolean hold() {
        for (Map.Entry<StepCounter, Counted> entry : counts.entrySet()) {
            if (entry.getKey().counted() != entry.getValue().representative.counted()) {
                return false;
            }
        }
        return true;
    }

    /** For each column the bits of its number in each of so many runs, up to where it does not change any more. */
    public long[][] bits(long runs) {
        long[][] bits = new long[columns.size()][];
        for (int column = 0; column < bits.length; column++) {
            bits[column] = bits(columns.get(column), runs);
        }
        return bits;
    }

    private long[] bits(Column column, long runs) {
        long start = column.count.counted() + column.ahead;
        long stride = counts.get(column.count).ahead;
        long[] bits = new long[Math.toIntExact(Math.min(runs, LiveNumber.MAX))];
        for (int run = 0; run < bits.length; run++) {
            bits[run] = Scalar.of(DType.FLOAT64, column.formula.applyAsDouble(start + run * stride))
                    .bits();
        }
        int length = bits.length;
        while (length > 1 && bits[length - 1] == bits[length - 2]) {
            length--;
        }
        if (bits.length < runs && length == bits.length) {
            throw ProgramRecorder.refusal(
                    "scan",
                    "a number changes in more than " + LiveNumber.MAX + " runs, got " + runs
                            + "; scan in several calls");
        }
        return Arrays.copyOf(bits, length);
    }

    /** Adds the advances of so many runs. */
    public void advanced(long runs) {
        counts.forEach((count, counted) -> count.add(runs * counted.ahead));
    }

    /** As {@link #advanced}, where how many it were is known later. */
    public void advancing(LongSupplier runs) {
        counts.forEach((count, counted) -> {
            if (counted.ahead > 0) {
                count.addLater(runs, counted.ahead);
            }
        });
    }
}
