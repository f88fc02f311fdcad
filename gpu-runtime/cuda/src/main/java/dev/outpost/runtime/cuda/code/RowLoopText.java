package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;

/** The text of one loop over a row: runs of columns, and the columns of a run. */
final class RowLoopText {
    private final RowCode code;
    private final RowAccessPattern walk;
    private final RowLoops loops;
    private final RowLoops.Loop loop;
    private final Lines text;
    private final int run;

    RowLoopText(RowCode code, RowAccessPattern walk, RowLoops loops, RowLoops.Loop loop, Lines text) {
        this.code = code;
        this.walk = walk;
        this.loops = loops;
        this.loop = loop;
        this.text = text;
        this.run = walk.team().run();
    }

    /** The values of a thread for each run are in registers only where the loop is unrolled. */
    void write() {
        if (walk.runs() == 0) {
            text.block(
                    "for (int first = member * " + run + "; first < columns; first += TEAM * " + run + ")", this::run);
            return;
        }
        unrolled(text, walk, this::run);
    }

    /** A loop over the runs of a thread that are within the row. */
    static void unrolled(Lines text, RowAccessPattern walk, Runnable content) {
        text.directive("#pragma unroll");
        text.block("for (int run = 0; run < " + walk.runs() + "; run++)", () -> {
            text.line("const int first = (run * TEAM + member) * " + walk.team().run() + ";");
            text.block("if (first < columns)", content);
        });
    }

    private void run() {
        if (walk.isPacked()) {
            loop.made.forEach(this::loadPack);
            for (int store : loop.stores) {
                text.line(pack(store) + " out" + store + ";");
            }
        }
        each(text, walk, this::column);
        if (walk.isPacked()) {
            for (int store : loop.stores) {
                text.line("*(" + pack(store) + " *) (to_out" + store + " + first) = out" + store + ";");
            }
        }
    }

    /** A loop over the columns of a run that are within the row. */
    static void each(Lines text, RowAccessPattern walk, Runnable content) {
        text.directive("#pragma unroll");
        text.block("for (int i = 0; i < " + walk.team().run() + "; i++)", () -> {
            if (walk.isPacked()) {
                content.run();
            } else {
                text.block("if (first + i < columns)", content);
            }
        });
    }

    private String pack(int store) {
        return new VectorAccess(code.stores().get(store).word(), run).name();
    }

    private void loadPack(RowValue value) {
        if (value.origin instanceof Origin.Loaded loaded) {
            String pack = new VectorAccess(value.word, run).name();
            String in = "in" + loaded.load();
            text.line("const " + pack + " " + in + " = *(const " + pack + " *) (from_" + in + " + first);");
        }
    }

    // ---- one column

    private void column() {
        loop.brought.forEach(value -> define(value, RowText.kept(value) + "[run][i]"));
        loop.made.forEach(this::make);
        loop.folds.forEach(this::fold);
        for (int number : loop.columnFolds) {
            RowCode.ColumnFold fold = code.columnFolds().get(number);
            take("columns" + number + "[run][i]", fold.fn(), code.folded(number));
        }
        for (int number : loop.stores) {
            Store store = code.stores().get(number);
            String place = walk.isPacked() ? "out" + number + ".v[i]" : "to_out" + number + "[first + i]";
            text.line(place + " = " + store.word().store() + "(" + store.value().name + ");");
        }
    }

    private void define(RowValue value, String expression) {
        text.line("const " + value.word.value() + " " + value.name + " = " + expression + ";");
    }

    private void make(RowValue value) {
        define(
                value,
                switch (value.origin) {
                    case Origin.Loaded(int load) ->
                        value.word.load() + "("
                                + (walk.isPacked() ? "in" + load + ".v[i]" : "from_in" + load + "[first + i]") + ")";
                    case Origin.Computed(String expression) -> expression;
                    case Origin.Folded _ -> throw new IllegalStateException(value.name + " is no column's");
                });
        if (loops.isKept(value)) {
            text.line(RowText.kept(value) + "[run][i] = " + value.name + ";");
        }
    }

    private void fold(RowValue fold) {
        take(RowText.sofar(fold), RowText.fn(fold), fold.operands.getFirst());
    }

    private void take(String sofar, Reduce.Fn fn, RowValue value) {
        CudaType sum = value.word.sum();
        String number = value.word.converted(sum, value.name);
        text.line(sofar + " = " + Folding.function(fn, sum) + "(" + sofar + ", " + number + ");");
    }
}
