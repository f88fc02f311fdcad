package dev.outpost.runtime.cuda.code;

import dev.outpost.runtime.cuda.code.Walk.Access;
import java.util.List;

/**
 * How a kernel goes through rows. Which thread takes which column follows from {@link RowTeam} alone.
 *
 * @param team whose rows they are
 * @param runs how many runs of columns a thread takes of a row, where that is part of the text, so that it can keep what it
 *     has computed of them; 0 where it loads and computes that again for each loop
 * @param isPacked whether runs are whole, and lie so that they can be read and written at once
 * @param accesses how each load is met along the row: never as a step
 */
public record RowWalk(RowTeam team, int runs, boolean isPacked, List<Access> accesses) {
    public RowWalk {
        accesses = List.copyOf(accesses);
    }

    /** Through the rows of a code, keeping what fits in the registers. */
    public static RowWalk of(RowCode code, boolean isPacked, List<Access> accesses) {
        RowTeam team = RowTeam.of(code.columns());
        RowWalk keeping = new RowWalk(team, team.runs(code.columns()), isPacked, accesses);
        int bytes = RowLoops.of(code, keeping).keptBytes() * keeping.runs() * team.run();
        return bytes > 0 && bytes <= team.keptBytes() ? keeping : new RowWalk(team, 0, isPacked, accesses);
    }

    boolean keeps() {
        return runs > 0;
    }
}
