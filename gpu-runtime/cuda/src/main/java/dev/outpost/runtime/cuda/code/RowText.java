package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.List;

/** The text of one row: where it lies, its numbers, and the loops over it with what they are folded to. */
final class RowText {
    private final RowCode code;
    private final RowAccessPattern walk;
    private final RowLoops loops;
    private final boolean exchanges;
    private final Lines text;
    /** Of each load. */
    private final List<RowValue> loaded;

    /** @param exchanges whether folds are of several threads */
    RowText(RowCode code, RowAccessPattern walk, RowLoops loops, boolean exchanges, Lines text) {
        this.code = code;
        this.walk = walk;
        this.loops = loops;
        this.exchanges = exchanges;
        this.text = text;
        this.loaded = code.loaded();
    }

    void write() {
        for (int store = 0; store < code.stores().size(); store++) {
            Store result = code.stores().get(store);
            text.line(result.word().stored() + " *__restrict__ to_out" + store + " = a.out" + store + " + row"
                    + (result.isWide() ? " * columns;" : ";"));
        }
        for (int load = 0; load < loaded.size(); load++) {
            text.line("const " + loaded.get(load).word.stored() + " *__restrict__ from_in" + load + " = a.in" + load
                    + " + row * a.in" + load + "_row;");
        }
        for (int load = 0; load < loaded.size(); load++) {
            if (!loops.isWide(loaded.get(load))) {
                define(loaded.get(load), loaded.get(load).word.load() + "(from_in" + load + "[0])");
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
        text.line("const " + value.word.value() + " " + value.name + " = " + expression + ";");
    }

    /** The values that are one number for the row, and known where a loop begins. */
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
        text.block("if (member == 0)", () -> {
            for (int store = 0; store < code.stores().size(); store++) {
                Store result = code.stores().get(store);
                if (!result.isWide()) {
                    text.line("to_out" + store + "[0] = " + result.word().store() + "(" + result.value().name + ");");
                }
            }
        });
    }

    // ---- a loop over the row

    private void loop(RowLoops.Loop loop) {
        for (RowValue value : loop.made) {
            if (loops.isKept(value)) {
                text.line(value.word.value() + " " + kept(value) + "[" + walk.runs() + "]["
                        + walk.team().run() + "];");
            }
        }
        for (RowValue fold : loop.folds) {
            CudaType sum = fold.operands.getFirst().word.sum();
            text.line(sum.value() + " " + sofar(fold) + " = " + Folding.start(fn(fold), sum) + ";");
        }
        new RowLoopText(code, walk, loops, loop, text).write();
        loop.folds.forEach(this::fold);
    }

    private void fold(RowValue fold) {
        CudaType sum = fold.operands.getFirst().word.sum();
        String all = exchanges ? "fold_" + fold.name + "(" + sofar(fold) + ")" : sofar(fold);
        define(fold, fold.word.rounded(sum.converted(fold.word, all)));
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
