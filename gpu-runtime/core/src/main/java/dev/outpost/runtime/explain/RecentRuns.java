package dev.outpost.runtime.explain;

import dev.outpost.protocol.message.ExplanationData;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * The latest segments of a session as they arrived, from which it explains how their values were computed. Used by the
 * session's worker thread; {@link #text} by any thread.
 */
public final class RecentRuns {
    /** The maximum number of segments that are remembered. */
    public static final int MAX_RUNS = 64;

    /** The maximum number of instructions of all remembered segments. A longer segment is not remembered. */
    static final int MAX_INSTRUCTIONS = 1 << 14;

    /** The maximum number of bytes of data of all remembered segments. */
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

    /** Explains how a value was computed; empty if its segment is forgotten. */
    public Optional<ExplanationData> explain(long value, TimedPlans times) {
        for (ExplainableRun run : (Iterable<ExplainableRun>) runs.reversed()::iterator) {
            int place = run.place(value);
            if (place >= 0) {
                return Optional.of(run.explain(place, times));
            }
        }
        return Optional.empty();
    }

    /** Returns the latest instructions as text without values, oldest first. */
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
