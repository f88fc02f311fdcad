package dev.outpost.runtime.explain;

import dev.outpost.protocol.message.ExplanationData;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * The latest segments of a session, so that it can explain how their values were computed: the segments as they came.
 * Used by the session's worker; {@link #text} by any thread.
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

    public synchronized void add(ExplainableRun run) {
        runs.add(run);
        instructions += run.instructions();
        dataBytes += run.graph().dataBytes();
        while (runs.size() > MAX_RUNS || instructions > MAX_INSTRUCTIONS || dataBytes > MAX_DATA_BYTES) {
            ExplainableRun oldest = runs.remove();
            instructions -= oldest.instructions();
            dataBytes -= oldest.graph().dataBytes();
        }
    }

    /** How a value was computed; empty where its segment is forgotten. */
    public Optional<ExplanationData> explain(long value, TimedPlans times) {
        for (ExplainableRun run : (Iterable<ExplainableRun>) runs.reversed()::iterator) {
            int place = run.place(value);
            if (place >= 0) {
                return Optional.of(run.explain(place, times));
            }
        }
        return Optional.empty();
    }

    /** The latest instructions as text without values, the oldest of them first. */
    public List<String> text(int max) {
        ArrayDeque<String> lines = new ArrayDeque<>();
        for (ExplainableRun run : latestFirst()) {
            List<String> ofRun = SegmentText.lines(run);
            for (int line = ofRun.size() - 1; line >= 0 && lines.size() < max; line--) {
                lines.addFirst(ofRun.get(line));
            }
            if (lines.size() >= max) {
                break;
            }
        }
        return List.copyOf(lines);
    }

    private synchronized List<ExplainableRun> latestFirst() {
        return List.copyOf(runs.reversed());
    }

    public synchronized void clear() {
        runs.clear();
        instructions = 0;
        dataBytes = 0;
    }
}
