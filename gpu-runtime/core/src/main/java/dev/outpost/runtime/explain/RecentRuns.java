package dev.outpost.runtime.explain;

import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.runtime.plan.Plan;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;

/**
 * What a session remembers of its latest segments, so that it can tell how their values were computed: the segments as
 * they came, and of some runs how long each kernel took. Used by the session's worker alone.
 */
public final class RecentRuns {
    /** How many segments are remembered. */
    public static final int MAX_RUNS = 64;

    /** How many instructions they have together at most; a segment that has more alone is not remembered. */
    static final int MAX_INSTRUCTIONS = 1 << 14;

    /** How many bytes of data they have together at most. */
    static final int MAX_DATA_BYTES = 4 << 20;

    /** How many tasks are timed, in all plans together. */
    static final int MAX_TASKS = 1 << 12;

    /** What an answer takes, unless one instruction alone takes more. */
    static final int MAX_ANSWER_BYTES = 2 << 20;

    private record Run(Segment segment, Graph graph, Plan plan) {
        int instructions() {
            return graph.instructions().size();
        }
    }

    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private final LinkedHashMap<Plan, PlanTimes> times = new LinkedHashMap<>(16, 0.75f, true);
    private int instructions;
    private long dataBytes;
    private int timedTasks;

    /** A segment is about to run; the answer takes its times, or is null when this run is not to be timed. */
    public PlanTimes begin(Segment segment, Graph graph, Plan plan) {
        remember(new Run(segment, graph, plan));
        PlanTimes known = times.get(plan);
        PlanTimes ofPlan = known == null ? open(plan) : known;
        return ofPlan != null && ofPlan.begin() ? ofPlan : null;
    }

    /** How a value was computed, as an {@link Explanation} writes it; empty where its segment is forgotten. */
    public byte[] explain(long value) {
        for (Run run : (Iterable<Run>) runs.reversed()::iterator) {
            int place = place(run, value);
            if (place >= 0) {
                return explain(run, place);
            }
        }
        return new byte[0];
    }

    /** Tells less where it would be too long. */
    private byte[] explain(Run run, int place) {
        int nodes = Explanation.MAX_NODES;
        while (true) {
            byte[] bytes = new Explainer(run.segment, run.graph, run.plan, times.get(run.plan))
                    .explain(place, nodes)
                    .toByteArray();
            if (bytes.length <= MAX_ANSWER_BYTES || nodes == 1) {
                return bytes;
            }
            nodes /= 2;
        }
    }

    public void clear() {
        runs.clear();
        times.clear();
        instructions = 0;
        dataBytes = 0;
        timedTasks = 0;
    }

    private void remember(Run run) {
        runs.add(run);
        instructions += run.instructions();
        dataBytes += run.segment.data().length;
        while (runs.size() > MAX_RUNS || instructions > MAX_INSTRUCTIONS || dataBytes > MAX_DATA_BYTES) {
            Run oldest = runs.remove();
            instructions -= oldest.instructions();
            dataBytes -= oldest.segment.data().length;
        }
    }

    private PlanTimes open(Plan plan) {
        int tasks = plan.tasks().size();
        if (tasks > MAX_TASKS) {
            return null;
        }
        PlanTimes opened = new PlanTimes(tasks);
        times.put(plan, opened);
        timedTasks += tasks;
        while (timedTasks > MAX_TASKS || times.size() > MAX_RUNS) {
            timedTasks -= times.pollFirstEntry().getKey().tasks().size();
        }
        return opened;
    }

    /** Which value of the segment it is; negative when it is none that the segment computed and kept. */
    private static int place(Run run, long value) {
        long[] outputs = run.segment.outputs();
        int output = 0;
        int inputs = run.graph.structure().inputCount();
        for (int result = 0; output < outputs.length; result++) {
            if (run.graph.structure().isKept(result) && outputs[output++] == value) {
                return inputs + result;
            }
        }
        return -1;
    }
}
