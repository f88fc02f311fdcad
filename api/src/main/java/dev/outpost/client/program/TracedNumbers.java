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
 * The numbers that change from run to run of a program, and the step counts from which they are computed. Counts that were equal during
 * tracing share their numbers. A trace is not used if they have become different.
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

    /** The numbers that are operands of an instruction. A run needs no others. */
    private final List<Column> columns = new ArrayList<>();

    private final Map<Integer, Integer> columnOf = new HashMap<>();

    /** Returns the number of steps that the traced code has added to a count so far. */
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

    /** Returns the column of a number that is an operand of an instruction. */
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

    /** Returns true if all counts that were equal during tracing are still equal. */
    public boolean hold() {
        for (Map.Entry<StepCounter, Counted> entry : counts.entrySet()) {
            if (entry.getKey().counted() != entry.getValue().representative.counted()) {
                return false;
            }
        }
        return true;
    }

    /** Returns for each column the bits of its number in each of {@code runs} runs, up to the run from which it no longer changes. */
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

    /** Adds the steps of {@code runs} runs to the counts. */
    public void advanced(long runs) {
        counts.forEach((count, counted) -> count.add(runs * counted.ahead));
    }

    /** Like {@link #advanced}, but if the number of runs is known only later. */
    public void advancing(LongSupplier runs) {
        counts.forEach((count, counted) -> {
            if (counted.ahead > 0) {
                count.addLater(runs, counted.ahead);
            }
        });
    }
}
