package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The kernel {@code rows}: {@link RowCode} for every row of a matrix, along a {@link RowAccessPattern}. Its arguments are, 8 bytes each:
 * the results of rows, the parts of what columns are folded to, and the loads; the number of rows, of columns, and where columns
 * are folded of the teams that share the rows; and for each load how far it is from one row to the next. A part has a row for
 * each team.
 */
public final class RowKernel {
    public static final String NAME = "rows";

    private final RowCode code;
    private final RowAccessPattern walk;
    private final RowLoops loops;
    private final Lines text = new Lines();
    private final List<RowValue> loaded;

    private RowKernel(RowCode code, RowAccessPattern walk) {
        this.code = code;
        this.walk = walk;
        this.loops = RowLoops.of(code, walk);
        this.loaded = code.loaded();
    }

    public static CudaSource source(RowCode code, RowAccessPattern walk) {
        List<Part> parts = new ArrayList<>(code.parts());
        RowKernel kernel = new RowKernel(code, walk);
        if (kernel.exchanges()) {
            parts.add(Part.ROWS);
        }
        String head = "#define INDEX u32\n#define TEAM " + walk.team().threads() + "\n";
        return new CudaSource(head, parts, kernel.write());
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
                CudaType sum = fold.operands.getFirst().word.sum();
                text.line("FOLD(fold_" + fold.name + ", " + sum.value() + ", " + Folding.function(RowText.fn(fold), sum)
                        + ")");
            });
        }
        text.function(
                "extern \"C\" __global__ void __launch_bounds__(" + walk.team().blockThreads()
                        + ") rows(const Arguments a)",
                this::body);
        return text.toString();
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

    private VectorAccess pack(CudaType word) {
        return new VectorAccess(word, walk.team().run());
    }

    private void arguments() {
        text.line("typedef struct {");
        for (int store = 0; store < code.stores().size(); store++) {
            text.line("    " + code.stores().get(store).word().stored() + " *out" + store + ";");
        }
        for (int fold = 0; fold < code.columnFolds().size(); fold++) {
            text.line("    " + sum(fold) + " *part" + fold + ";");
        }
        for (int load = 0; load < loaded.size(); load++) {
            text.line("    const " + loaded.get(load).word.stored() + " *in" + load + ";");
        }
        text.line("    i64 rows;");
        text.line("    i64 columns;");
        if (foldsColumns()) {
            text.line("    i64 teams;");
        }
        for (int load = 0; load < loaded.size(); load++) {
            text.line("    i64 in" + load + "_row;");
        }
        text.line("} Arguments;");
    }

    // ---- the kernel

    private boolean foldsColumns() {
        return !code.columnFolds().isEmpty();
    }

    private String sum(int columnFold) {
        return code.columnFolds().get(columnFold).sum().value();
    }

    private void body() {
        String first = foldsColumns() ? "team" : "row";
        text.line("const i64 " + first + " = THREAD / TEAM;");
        text.line("const int member = threadIdx.x % TEAM;");
        text.line("const int columns = (int) a.columns;");
        text.block("if (" + first + " >= a." + first + "s)", () -> text.line("return;"));
        RowText row = new RowText(code, walk, loops, exchanges(), text);
        if (foldsColumns()) {
            shared(row);
        } else {
            row.write();
        }
    }

    /** Rows in turns, each thread with its columns in its registers. */
    private void shared(RowText row) {
        for (int fold = 0; fold < code.columnFolds().size(); fold++) {
            text.line(sum(fold) + " columns" + fold + "[" + walk.runs() + "]["
                    + walk.team().run() + "];");
        }
        text.directive("#pragma unroll");
        text.block("for (int run = 0; run < " + walk.runs() + "; run++)", () -> {
            text.directive("#pragma unroll");
            text.block("for (int i = 0; i < " + walk.team().run() + "; i++)", () -> {
                for (int fold = 0; fold < code.columnFolds().size(); fold++) {
                    RowCode.ColumnFold columns = code.columnFolds().get(fold);
                    text.line("columns" + fold + "[run][i] = " + Folding.start(columns.fn(), columns.sum()) + ";");
                }
            });
        });
        text.block("for (i64 row = team; row < a.rows; row += a.teams)", () -> {
            row.write();
            if (exchanges() && walk.team().isBlock()) {
                // The next row's folds write where slower warps may still read this one's.
                text.line("__syncthreads();");
            }
        });
        RowLoopText.unrolled(
                text,
                walk,
                () -> RowLoopText.each(text, walk, () -> {
                    for (int fold = 0; fold < code.columnFolds().size(); fold++) {
                        text.line("a.part" + fold + "[team * columns + first + i] = columns" + fold + "[run][i];");
                    }
                }));
    }
}
