package dev.outpost.runtime.explain;

import dev.outpost.protocol.explain.Explanation;
import java.util.ArrayDeque;

/**
 * What a session remembers of its latest segments, so that it can tell how their values were computed: the segments as
 * they came. Used by the session's worker alone.
 */
public final class RecentRuns {
    /** How many segments are remembered. */
    public static final int MAX_RUNS = 64;

    /** How many instructions they have together at most; a segment that has more alone is not remembered. */
    static final int MAX_INSTRUCTIONS = 1 << 14;

    /** How many bytes of data they have together at most. */
    static final int MAX_DATA_BYTES = 4 << 20;

    private final ArrayDeque<ExplainableRun> runs = new ArrayDeque<>();
    private int instructions;
    private long dataBytes;

    public void add(ExplainableRun run) {
        runs.add(run);
        instructions += run.instructions();
        dataBytes += run.graph().dataBytes();
        while (runs.size() > MAX_RUNS || instructions > MAX_INSTRUCTIONS || dataBytes > MAX_DATA_BYTES) {
            ExplainableRun oldest = runs.remove();
            instructions -= oldest.instructions();
            dataBytes -= oldest.graph().dataBytes();
        }
    }

    /** How a value was computed, as an {@link Explanation} writes it; empty where its segment is forgotten. */
    public byte[] explain(long value, TimedPlans times) {
        for (ExplainableRun run : (Iterable<ExplainableRun>) runs.reversed()::iterator) {
            int place = run.place(value);
            if (place >= 0) {
                return run.explain(place, times);
            }
        }
        return new byte[0];
    }

    public void clear() {
        runs.clear();
        instructions = 0;
        dataBytes = 0;
    }
}
