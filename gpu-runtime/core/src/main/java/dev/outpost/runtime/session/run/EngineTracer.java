package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.trace.EngineTraceWriter;
import dev.outpost.runtime.explain.KernelNames;
import dev.outpost.runtime.plan.Task;
import java.util.HashMap;
import java.util.Map;

/**
 * Records the activity of a session, for a client that profiles. Thread-safe: on an asynchronous engine, another thread reports the times
 * of kernels after they have run.
 */
public final class EngineTracer {
    /** The maximum number of kernels with different names. All further kernels share one name. */
    private static final int MAX_KERNELS = 4096;

    private final EngineTraceWriter writer = new EngineTraceWriter();
    private final Map<Task, Integer> names = new HashMap<>();
    private final int others = writer.name("other kernels");

    public synchronized void segment(long number, int instructions, long arrived, long start, long end) {
        writer.segment(number, instructions, arrived, start, end);
    }

    public synchronized void planned(long start, long end) {
        writer.planned(start, end);
    }

    public synchronized void fetched(long fetch, long start, long end) {
        writer.fetched(fetch, start, end);
    }

    /** Returns the next piece of the trace; empty if nothing was recorded. */
    public synchronized byte[] take() {
        return writer.take();
    }

    public synchronized boolean hasMore() {
        return writer.hasMore();
    }

    public synchronized void kernel(Task task, Graph graph, long start, long end) {
        writer.kernel(name(task, graph), start, end);
    }

    private int name(Task task, Graph graph) {
        Integer known = names.get(task);
        if (known != null) {
            return known;
        }
        if (names.size() == MAX_KERNELS) {
            return others;
        }
        int name = writer.name(KernelNames.of(task, graph));
        names.put(task, name);
        return name;
    }
}
