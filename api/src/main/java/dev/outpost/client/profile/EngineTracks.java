package dev.outpost.client.profile;

import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.trace.EngineEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * Shows events of an engine in the trace file. One track has the segments of the worker, with the kernels and plans
 * within them. Waiting segments and exchanges with other machines are above it.
 */
final class EngineTracks {
    private static final int WORKER = 1;
    private static final Set<String> EXCHANGES =
            Arrays.stream(Collective.Fn.values()).map(Collective.Fn::label).collect(Collectors.toSet());

    private final int process;
    private final int client;
    private final LongUnaryOperator clock;
    private final List<TraceEvent> target;
    private long lastEnd;
    private int exchanges;

    /**
     * @param client the process from which arrows lead to the segments
     * @param clock converts the machine's time to the file's time; keeps the order of times
     */
    EngineTracks(int process, int client, LongUnaryOperator clock, List<TraceEvent> target) {
        this.process = process;
        this.client = client;
        this.clock = clock;
        this.target = target;
        target.add(new TraceEvent('M', process, WORKER, "thread_name", 0, 0, "", "\"name\":\"worker\""));
    }

    void add(EngineEvent event) {
        switch (event) {
            case EngineEvent.Kernel kernel -> kernel(kernel);
            case EngineEvent.Planned planned -> span("plan", planned.start(), planned.end(), "");
            case EngineEvent.Fetched fetched ->
                span("fetch", fetched.start(), fetched.end(), "\"fetch\":" + fetched.fetch());
            case EngineEvent.Segment segment -> segment(segment);
            case EngineEvent.Dropped dropped ->
                target.add(TraceEvent.instant(
                        process, WORKER, "events are missing here", lastEnd, "\"events\":" + dropped.events()));
        }
    }

    private void kernel(EngineEvent.Kernel kernel) {
        if (EXCHANGES.contains(kernel.name().split(" ", 2)[0])) {
            exchange(kernel);
        } else {
            span(kernel.name(), kernel.start(), kernel.end(), "");
        }
    }

    /** Adds an exchange. Several exchanges may be under way at once, while kernels run. */
    private void exchange(EngineEvent.Kernel exchange) {
        String id = "exchange " + process + "." + ++exchanges;
        long start = clock.applyAsLong(exchange.start());
        long end = clock.applyAsLong(exchange.end());
        target.add(new TraceEvent('b', process, WORKER, exchange.name(), start, 0, id, ""));
        target.add(new TraceEvent('e', process, WORKER, exchange.name(), end, 0, id, ""));
    }

    private void segment(EngineEvent.Segment segment) {
        String arguments = "\"segment\":" + segment.number() + ",\"instructions\":" + segment.instructions();
        span("segment", segment.start(), segment.end(), arguments);
        long arrived = clock.applyAsLong(Math.min(segment.arrived(), segment.start()));
        long start = clock.applyAsLong(segment.start());
        String waiting = "queued " + process + "." + segment.number();
        target.add(new TraceEvent('b', process, WORKER, "queued", arrived, 0, waiting, arguments));
        target.add(new TraceEvent('e', process, WORKER, "queued", start, 0, waiting, ""));
        target.add(new TraceEvent('f', process, WORKER, "segment", start, 0, arrow(client, segment.number()), ""));
    }

    /** Returns the id of the arrow that leads from the sealing of a segment to its run. */
    static String arrow(int client, long segment) {
        return "sent " + client + "." + segment;
    }

    private void span(String name, long start, long end, String arguments) {
        lastEnd = clock.applyAsLong(end);
        target.add(TraceEvent.span(process, WORKER, name, clock.applyAsLong(start), lastEnd, arguments));
    }
}
