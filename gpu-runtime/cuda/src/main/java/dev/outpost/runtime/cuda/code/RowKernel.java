package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.RowCode.Store;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Generates the kernel {@code rows}, which runs {@link RowCode} for every row of a matrix, along a {@link RowAccessPattern}. Its arguments
 * have 8 bytes each. The first ones are the results of rows, the partial results of column folds, and the loads. The number of rows, the
 * number of columns and, if columns are folded, the number of teams that share the rows follow. The last ones are the distances from one
 * row to the next, for each load. A partial result has a row for each team.
 */
public final class RowKernel {
    public static final String NAME = "rows";

    private final RowCode code;
    private final RowAccessPattern pattern;
    private final RowLoops loops;
    private final Lines out = new Lines();
    private final List<RowValue> loaded;

    private RowKernel(RowCode code, RowAccessPattern pattern) {
        this.code = code;
        this.pattern = pattern;
        this.loops = RowLoops.of(code, pattern);
        this.loaded = code.loaded();
    }

    public static CudaSource source(RowCode code, RowAccessPattern pattern) {
        List<Part> parts = new ArrayList<>(code.parts());
        RowKernel kernel = new RowKernel(code, pattern);
        if (kernel.exchanges()) {
            parts.add(Part.ROWS);
        }
        String head = "#define INDEX u32\n#define TEAM " + pattern.team().threads() + "\n";
        return new CudaSource(head, parts, kernel.write());
    }

    private boolean exchanges() {
        return pattern.team().threads() > 1 && code.values().stream().anyMatch(RowKernel::isFold);
    }

    private static boolean isFold(RowValue value) {
        return value.origin instanceof Origin.Folded;
    }

    private String write() {
        out.line("");
        packs().forEach(out::line);
        arguments();
        if (exchanges()) {
            code.values().stream().filter(RowKernel::isFold).forEach(fold -> {
                CudaType sum = fold.operands.getFirst().type.sum();
                out.line("FOLD(fold_" + fold.name + ", " + sum.value() + ", " + Folding.function(RowText.fn(fold), sum)
                        + ")");
            });
        }
        out.function(
                "extern \"C\" __global__ void __launch_bounds__("
                        + pattern.team().blockThreads() + ") rows(const Arguments a)",
                this::body);
        return out.toString();
    }

    // ---- declarations

    private Set<String> packs() {
        Set<String> packs = new LinkedHashSet<>();
        if (pattern.isPacked()) {
            code.stores().stream()
                    .filter(Store::isWide)
                    .forEach(store -> packs.add(pack(store.type()).declaration()));
            loaded.stream()
                    .filter(loops::isWide)
                    .forEach(load -> packs.add(pack(load.type).declaration()));
        }
        return packs;
    }

    private VectorAccess pack(CudaType type) {
        return new VectorAccess(type, pattern.team().run());
    }

    private void arguments() {
        out.line("typedef struct {");
        for (int store = 0; store < code.stores().size(); store++) {
            out.line("    " + code.stores().get(store).type().stored() + " *out" + store + ";");
        }
        for (int fold = 0; fold < code.columnFolds().size(); fold++) {
            out.line("    " + sum(fold) + " *part" + fold + ";");
        }
        for (int load = 0; load < loaded.size(); load++) {
            out.line("    const " + loaded.get(load).type.stored() + " *in" + load + ";");
        }
        out.line("    i64 rows;");
        out.line("    i64 columns;");
        if (foldsColumns()) {
            out.line("    i64 teams;");
        }
        for (int load = 0; load < loaded.size(); load++) {
            out.line("    i64 in" + load + "_row;");
        }
        out.line("} Arguments;");
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
        out.line("const i64 " + first + " = THREAD / TEAM;");
        out.line("const int member = threadIdx.x % TEAM;");
        out.line("const int columns = (int) a.columns;");
        out.block("if (" + first + " >= a." + first + "s)", () -> out.line("return;"));
        RowText row = new RowText(code, pattern, loops, exchanges(), out);
        if (foldsColumns()) {
            shared(row);
        } else {
            row.write();
        }
    }

    /** Writes a loop in which a team takes rows alternately, and each thread keeps its columns in registers. */
    private void shared(RowText row) {
        for (int fold = 0; fold < code.columnFolds().size(); fold++) {
            out.line(sum(fold) + " columns" + fold + "[" + pattern.runs() + "]["
                    + pattern.team().run() + "];");
        }
        out.directive("#pragma unroll");
        out.block("for (int run = 0; run < " + pattern.runs() + "; run++)", () -> {
            out.directive("#pragma unroll");
            out.block("for (int i = 0; i < " + pattern.team().run() + "; i++)", () -> {
                for (int fold = 0; fold < code.columnFolds().size(); fold++) {
                    RowCode.ColumnFold columns = code.columnFolds().get(fold);
                    out.line("columns" + fold + "[run][i] = " + Folding.start(columns.fn(), columns.sum()) + ";");
                }
            });
        });
        out.block("for (i64 row = team; row < a.rows; row += a.teams)", () -> {
            row.write();
            if (exchanges() && pattern.team().isBlock()) {
                // The folds of the next row write to memory that slower warps may still read for this row.
                out.line("__syncthreads();");
            }
        });
        RowLoopText.unrolled(
                out,
                pattern,
                () -> RowLoopText.each(out, pattern, () -> {
                    for (int fold = 0; fold < code.columnFolds().size(); fold++) {
                        out.line("a.part" + fold + "[team * columns + first + i] = columns" + fold + "[run][i];");
                    }
                }));
    }
}
