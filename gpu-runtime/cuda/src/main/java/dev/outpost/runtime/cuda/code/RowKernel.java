package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The kernel {@code rows}: {@link RowCode} for every row of a matrix, along a {@link RowWalk}. Its arguments are, 8 bytes each:
 * the results and the loads; the number of rows and of columns; and for each load how far it is from one row to the next.
 */
public final class RowKernel {
    public static final String NAME = "rows";

    private final RowCode code;
    private final RowWalk walk;
    private final RowLoops loops;
    private final Lines text = new Lines();
    private final List<RowValue> loaded;

    private RowKernel(RowCode code, RowWalk walk) {
        this.code = code;
        this.walk = walk;
        this.loops = RowLoops.of(code, walk);
        this.loaded = code.loaded();
    }

    public static Source source(RowCode code, RowWalk walk) {
        List<Part> parts = new ArrayList<>(code.parts());
        RowKernel kernel = new RowKernel(code, walk);
        if (kernel.exchanges()) {
            parts.add(Part.ROWS);
        }
        String head = "#define INDEX u32\n#define TEAM " + walk.team().threads() + "\n";
        return new Source(head, parts, kernel.write());
    }

    private boolean exchanges() {
        return walk.team().threads() > 1 && code.values().stream().anyMatch(RowKernel::isFold);
    }

    private static boolean isFold(RowValue value) {
        return value.origin instanceof Origin.Folded;
    }

    private String write() {
        text.line("");
        packs().forEach(text::line);
        arguments();
        if (exchanges()) {
            code.values().stream().filter(RowKernel::isFold).forEach(fold -> {
                Word sum = fold.operands.getFirst().word.sum();
                text.line("FOLD(fold_" + fold.name + ", " + sum.value() + ", " + Folding.function(fn(fold), sum) + ")");
            });
        }
        text.function(
                "extern \"C\" __global__ void __launch_bounds__(" + walk.team().blockThreads()
                        + ") rows(const Arguments a)",
                this::body);
        return text.toString();
    }

    private static Reduce.Fn fn(RowValue fold) {
        return ((Origin.Folded) fold.origin).fn();
    }

    // ---- declarations

    private Set<String> packs() {
        Set<String> packs = new LinkedHashSet<>();
        if (walk.isPacked()) {
            code.stores().stream()
                    .filter(Store::isWide)
                    .forEach(store -> packs.add(pack(store.word()).declaration()));
            loaded.stream()
                    .filter(loops::isWide)
                    .forEach(load -> packs.add(pack(load.word).declaration()));
        }
        return packs;
    }

    private Pack pack(Word word) {
        return new Pack(word, walk.team().run());
    }

    private void arguments() {
        text.line("typedef struct {");
        for (int store = 0; store < code.stores().size(); store++) {
            text.line("    " + code.stores().get(store).word().stored() + " *out" + store + ";");
        }
        for (int load = 0; load < loaded.size(); load++) {
            text.line("    const " + loaded.get(load).word.stored() + " *in" + load + ";");
        }
        text.line("    i64 rows;");
        text.line("    i64 columns;");
        for (int load = 0; load < loaded.size(); load++) {
            text.line("    i64 in" + load + "_row;");
        }
        text.line("} Arguments;");
    }

    // ---- the kernel

    private void body() {
        text.line("const i64 row = THREAD / TEAM;");
        text.line("const int member = threadIdx.x % TEAM;");
        text.line("const int columns = (int) a.columns;");
        text.block("if (row >= a.rows)", () -> text.line("return;"));
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

    /** What is one number for the row, and known where a loop begins. */
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
            Word sum = fold.operands.getFirst().word.sum();
            text.line(sum.value() + " " + sofar(fold) + " = " + Folding.start(fn(fold), sum) + ";");
        }
        new RowLoopText(code, walk, loops, loop, text).write();
        loop.folds.forEach(this::fold);
    }

    private void fold(RowValue fold) {
        Word sum = fold.operands.getFirst().word.sum();
        String all = exchanges() ? "fold_" + fold.name + "(" + sofar(fold) + ")" : sofar(fold);
        define(fold, fold.word.rounded(sum.converted(fold.word, all)));
    }

    static String sofar(RowValue fold) {
        return "sofar_" + fold.name;
    }

    static String kept(RowValue value) {
        return "kept_" + value.name;
    }
}
