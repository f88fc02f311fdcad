package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.List;

/** Writes the source for one row: its addresses, its numbers, and the loops over its columns with their folds. */
final class RowText {
    private final RowCode code;
    private final RowAccessPattern pattern;
    private final RowLoops loops;
    private final boolean exchanges;
    private final Lines out;
    /** The value of each load. */
    private final List<RowValue> loaded;

    /** @param exchanges true if several threads share a fold */
    RowText(RowCode code, RowAccessPattern pattern, RowLoops loops, boolean exchanges, Lines out) {
        this.code = code;
        this.pattern = pattern;
        this.loops = loops;
        this.exchanges = exchanges;
        this.out = out;
        this.loaded = code.loaded();
    }

    void write() {
        for (int store = 0; store < code.stores().size(); store++) {
            Store result = code.stores().get(store);
            out.line(result.type().stored() + " *__restrict__ to_out" + store + " = a.out" + store + " + row"
                    + (result.isWide() ? " * columns;" : ";"));
        }
        for (int load = 0; load < loaded.size(); load++) {
            out.line("const " + loaded.get(load).type.stored() + " *__restrict__ from_in" + load + " = a.in" + load
                    + " + row * a.in" + load + "_row;");
        }
        for (int load = 0; load < loaded.size(); load++) {
            if (!loops.isWide(loaded.get(load))) {
                define(loaded.get(load), loaded.get(load).type.load() + "(from_in" + load + "[0])");
            }
        }
        numbers(0);
        for (int loop = 0; loop < loops.loops().size(); loop++) {
            loop(loops.loops().get(loop));
            numbers(loop + 1);
        }
        storeNumbers();
    }

    private void define(RowValue value, String expression) {
        out.line("const " + value.type.value() + " " + value.name + " = " + expression + ";");
    }

    /** Writes the values that are one number for the row and that are known at the beginning of a loop. */
    private void numbers(int loop) {
        for (RowValue value : code.values()) {
            if (!value.isWide && value.loop == loop && value.origin instanceof Origin.Computed computed) {
                define(value, computed.expression());
            }
        }
    }

    private void storeNumbers() {
        if (code.stores().stream().allMatch(Store::isWide)) {
            return;
        }
        out.block("if (member == 0)", () -> {
            for (int store = 0; store < code.stores().size(); store++) {
                Store result = code.stores().get(store);
                if (!result.isWide()) {
                    out.line("to_out" + store + "[0] = " + result.type().store() + "(" + result.value().name + ");");
                }
            }
        });
    }

    // ---- a loop over the row

    private void loop(RowLoops.Loop loop) {
        for (RowValue value : loop.made) {
            if (loops.isKept(value)) {
                out.line(value.type.value() + " " + kept(value) + "[" + pattern.runs() + "]["
                        + pattern.team().run() + "];");
            }
        }
        for (RowValue fold : loop.folds) {
            CudaType sum = fold.operands.getFirst().type.sum();
            out.line(sum.value() + " " + sofar(fold) + " = " + Folding.start(fn(fold), sum) + ";");
        }
        new RowLoopText(code, pattern, loops, loop, out).write();
        loop.folds.forEach(this::fold);
    }

    private void fold(RowValue fold) {
        CudaType sum = fold.operands.getFirst().type.sum();
        String all = exchanges ? "fold_" + fold.name + "(" + sofar(fold) + ")" : sofar(fold);
        define(fold, fold.type.rounded(sum.converted(fold.type, all)));
    }

    static Reduce.Fn fn(RowValue fold) {
        return ((Origin.Folded) fold.origin).fn();
    }

    static String sofar(RowValue fold) {
        return "sofar_" + fold.name;
    }

    static String kept(RowValue value) {
        return "kept_" + value.name;
    }
}
