package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.AccessPattern.Access;
import java.util.List;

/**
 * How a kernel goes through rows. Which thread takes which column follows from {@link RowTeam} alone.
 *
 * @param team whose rows they are
 * @param runs how many runs of columns a thread takes of a row, where that is part of the text, since it has something in its
 *     registers for each of them; else 0
 * @param keeps whether it keeps what it has loaded and computed from one loop for the next, and does not do that again
 * @param isPacked whether runs are whole, and lie so that they can be read and written at once
 * @param accesses how each load is met along the row: never as a step
 */
public record RowAccessPattern(RowTeam team, int runs, boolean keeps, boolean isPacked, List<Access> accesses) {
    public RowAccessPattern {
        accesses = List.copyOf(accesses);
    }

    /** Through the rows of a code, keeping what fits in the registers. */
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
