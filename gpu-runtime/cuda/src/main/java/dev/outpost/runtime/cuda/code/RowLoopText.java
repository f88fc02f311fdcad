package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;

/** Writes the source of one loop over a row, which consists of runs of columns. */
final class RowLoopText {
    private final RowCode code;
    private final RowAccessPattern pattern;
    private final RowLoops loops;
    private final RowLoops.Loop loop;
    private final Lines out;
    private final int run;

    RowLoopText(RowCode code, RowAccessPattern pattern, RowLoops loops, RowLoops.Loop loop, Lines out) {
        this.code = code;
        this.pattern = pattern;
        this.loops = loops;
        this.loop = loop;
        this.out = out;
        this.run = pattern.team().run();
    }

    /** Writes the loop. A thread's values for each run are in registers only if the loop is unrolled. */
    void write() {
        if (pattern.runs() == 0) {
            out.block(
                    "for (int first = member * " + run + "; first < columns; first += TEAM * " + run + ")", this::run);
            return;
        }
        unrolled(out, pattern, this::run);
    }

    /** Writes an unrolled loop over the runs of a thread that are within the row. */
    static void unrolled(Lines out, RowAccessPattern pattern, Runnable content) {
        out.directive("#pragma unroll");
        out.block("for (int run = 0; run < " + pattern.runs() + "; run++)", () -> {
            out.line("const int first = (run * TEAM + member) * "
                    + pattern.team().run() + ";");
            out.block("if (first < columns)", content);
        });
    }

    private void run() {
        if (pattern.isPacked()) {
            loop.made.forEach(this::loadPack);
            for (int store : loop.stores) {
                out.line(pack(store) + " out" + store + ";");
            }
        }
        each(out, pattern, this::column);
        if (pattern.isPacked()) {
            for (int store : loop.stores) {
                out.line("*(" + pack(store) + " *) (to_out" + store + " + first) = out" + store + ";");
            }
        }
    }

    /** Writes a loop over the columns of a run that are within the row. */
    static void each(Lines out, RowAccessPattern pattern, Runnable content) {
        out.directive("#pragma unroll");
        out.block("for (int i = 0; i < " + pattern.team().run() + "; i++)", () -> {
            if (pattern.isPacked()) {
                content.run();
            } else {
                out.block("if (first + i < columns)", content);
            }
        });
    }

    private String pack(int store) {
        return new VectorAccess(code.stores().get(store).type(), run).name();
    }

    private void loadPack(RowValue value) {
        if (value.origin instanceof Origin.Loaded loaded) {
            String pack = new VectorAccess(value.type, run).name();
            String in = "in" + loaded.load();
            out.line("const " + pack + " " + in + " = *(const " + pack + " *) (from_" + in + " + first);");
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
            String place = pattern.isPacked() ? "out" + number + ".v[i]" : "to_out" + number + "[first + i]";
            out.line(place + " = " + store.type().store() + "(" + store.value().name + ");");
        }
    }

    private void define(RowValue value, String expression) {
        out.line("const " + value.type.value() + " " + value.name + " = " + expression + ";");
    }

    private void make(RowValue value) {
        define(
                value,
                switch (value.origin) {
                    case Origin.Loaded(int load) ->
                        value.type.load() + "("
                                + (pattern.isPacked() ? "in" + load + ".v[i]" : "from_in" + load + "[first + i]") + ")";
                    case Origin.Computed(String expression) -> expression;
                    case Origin.Folded _ -> throw new IllegalStateException(value.name + " is no column's");
                });
        if (loops.isKept(value)) {
            out.line(RowText.kept(value) + "[run][i] = " + value.name + ";");
        }
    }

    private void fold(RowValue fold) {
        take(RowText.sofar(fold), RowText.fn(fold), fold.operands.getFirst());
    }

    private void take(String sofar, Reduce.Fn fn, RowValue value) {
        CudaType sum = value.type.sum();
        String number = value.type.converted(sum, value.name);
        out.line(sofar + " = " + Folding.function(fn, sum) + "(" + sofar + ", " + number + ");");
    }
}
