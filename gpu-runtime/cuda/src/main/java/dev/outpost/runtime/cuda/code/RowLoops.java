package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.AccessPattern.Access;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans the loops over a row: where each value is loaded, computed, folded and stored, and which values stay in registers for later
 * loops.
 */
final class RowLoops {
    /** One loop over the row. */
    static final class Loop {
        /** The values that are loaded or computed in the loop. */
        final Set<RowValue> made = new LinkedHashSet<>();
        /** The values that earlier loops have kept for this loop. */
        final Set<RowValue> brought = new LinkedHashSet<>();
        /** The folds over the columns in this loop. The result of a fold is known after the loop. */
        final List<RowValue> folds = new ArrayList<>();
        /** The numbers of the stores in the loop. */
        final List<Integer> stores = new ArrayList<>();
        /** The numbers of the column folds that add a row in the loop. */
        final List<Integer> columnFolds = new ArrayList<>();
    }

    private final RowCode code;
    private final RowAccessPattern pattern;
    private final List<Loop> loops = new ArrayList<>();
    /** The index of the last loop that uses a value of an earlier loop, for each such value. */
    private final Map<RowValue, Integer> lastUse = new LinkedHashMap<>();

    private RowLoops(RowCode code, RowAccessPattern pattern) {
        this.code = code;
        this.pattern = pattern;
    }

    /** Plans the loops. If the pattern names runs, values that several loops need are kept. */
    static RowLoops of(RowCode code, RowAccessPattern pattern) {
        RowLoops loops = new RowLoops(code, pattern);
        loops.plan();
        return loops;
    }

    List<Loop> loops() {
        return loops;
    }

    boolean isKept(RowValue value) {
        return lastUse.containsKey(value);
    }

    /** Returns the maximum number of bytes that a thread keeps from one loop to the next, for each of its columns. */
    int keptBytes() {
        int max = 0;
        Set<RowValue> sofar = new HashSet<>();
        for (int loop = 0; loop < loops.size(); loop++) {
            sofar.addAll(loops.get(loop).made);
            int after = loop;
            max = Math.max(
                    max,
                    sofar.stream()
                            .filter(value -> lastUse.getOrDefault(value, 0) > after)
                            .mapToInt(value -> value.type.valueBytes())
                            .sum());
        }
        return max;
    }

    /**
     * Returns true if the value differs between columns. Returns false if the operand repeats one element along the
     * row.
     */
    boolean isWide(RowValue value) {
        return value.isWide
                && !(value.origin instanceof Origin.Loaded loaded
                        && pattern.accesses().get(loaded.load()) == Access.SAME);
    }

    // ---- planning

    private void plan() {
        for (RowValue value : code.values()) {
            if (value.origin instanceof Origin.Folded) {
                loop(value.loop - 1).folds.add(value);
            }
        }
        for (int number = 0; number < code.stores().size(); number++) {
            Store store = code.stores().get(number);
            if (store.isWide()) {
                loop(store.value().loop).stores.add(number);
            }
        }
        for (int fold = 0; fold < code.columnFolds().size(); fold++) {
            loop(code.folded(fold).loop).columnFolds.add(fold);
        }
        Set<RowValue> before = new HashSet<>();
        for (int number = 0; number < loops.size(); number++) {
            Loop loop = loops.get(number);
            for (RowValue fold : loop.folds) {
                need(fold.operands.getFirst(), number, before);
            }
            for (int store : loop.stores) {
                need(code.stores().get(store).value(), number, before);
            }
            for (int fold : loop.columnFolds) {
                need(code.folded(fold), number, before);
            }
            if (pattern.keeps()) {
                before.addAll(loop.made);
            }
        }
    }

    private Loop loop(int number) {
        while (loops.size() <= number) {
            loops.add(new Loop());
        }
        return loops.get(number);
    }

    private void need(RowValue value, int number, Set<RowValue> before) {
        Loop loop = loops.get(number);
        if (!isWide(value) || loop.made.contains(value)) {
            return;
        }
        if (before.contains(value)) {
            loop.brought.add(value);
            lastUse.put(value, number);
            return;
        }
        value.operands.forEach(operand -> need(operand, number, before));
        loop.made.add(value);
    }
}
