package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.AccessPattern.Access;
import java.util.List;

/**
 * The pattern by which a kernel walks rows. The assignment of columns to threads depends only on {@link RowTeam}.
 *
 * @param team the threads that share a row
 * @param runs the number of runs of columns that a thread takes of a row, if the text depends on it because the thread has registers for
 *     each run; otherwise 0
 * @param keeps true if loaded and computed values stay in registers from one loop to the next
 * @param isPacked true if runs are whole, and aligned so that they can be read and written at once
 * @param accesses the access of each load along the row, which is never a step
 */
public record RowAccessPattern(RowTeam team, int runs, boolean keeps, boolean isPacked, List<Access> accesses) {
    public RowAccessPattern {
        accesses = List.copyOf(accesses);
    }

    /** Creates the pattern for a code. It keeps values that fit into the registers. */
    public static RowAccessPattern of(RowCode code, boolean isPacked, List<Access> accesses) {
        RowTeam team = RowTeam.of(code.columns());
        int runs = team.runs(code.columns());
        RowAccessPattern keeping = new RowAccessPattern(team, runs, true, isPacked, accesses);
        int kept = RowLoops.of(code, keeping).keptBytes();
        int folded = code.columnFolds().stream()
                .mapToInt(fold -> fold.sum().valueBytes())
                .sum();
        if (kept > 0 && (kept + folded) * runs * team.run() <= team.keptBytes()) {
            return keeping;
        }
        return new RowAccessPattern(team, folded > 0 ? runs : 0, false, isPacked, accesses);
    }
}
