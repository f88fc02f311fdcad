package dev.outpost.client.profile;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Traced;
import dev.outpost.protocol.trace.EngineEvent;
import dev.outpost.protocol.trace.EngineTraceReader;
import dev.outpost.types.MalformedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The events of one session, in three processes of the trace. The client has a track for the recording of each thread and one for its
 * waits. The wire has a track for each lane and direction. The third process is the engine. Any thread may call any method, and none of
 * them blocks, except for {@link #finish}.
 */
public final class SessionProfile {
    private static final long ASK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int CLIENT = 1;
    private static final int WIRE = 2;
    private static final int ENGINE = 3;
    private static final int PROCESSES = 3;
    private static final int ROUND_TRIPS = 5;
    private static final int TRACKS_PER_THREAD = 2;

    private final String name;
    private final int firstProcess;
    private final long startNanos;
    private final Events<TraceEvent> ours;
    private final Events<EngineEvent> theirs;
    private final Map<Long, Integer> threads = new ConcurrentHashMap<>();
    private final Map<Integer, String> threadNames = new ConcurrentHashMap<>();
    private final AtomicInteger lastThread = new AtomicInteger();

    // Guarded by this: the state of the questions, and the answers.
    private final EngineTraceReader reader = new EngineTraceReader();
    private final ClockOffset clock = new ClockOffset();
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean finishing;
    private long requestsBeforeFinishing;
    private long requests;
    private long answers;
    private long askedNanos;
    private boolean hasMore;

    SessionProfile(String name, int number, long startNanos, int maxEvents) {
        this.name = name;
        this.firstProcess = PROCESSES * number;
        this.startNanos = startNanos;
        this.ours = new Events<>(maxEvents);
        this.theirs = new Events<>(maxEvents);
    }

    public long now() {
        return System.nanoTime();
    }

    // ---- the client

    /** Returns the track for the recording of the calling thread. */
    public int track() {
        Thread current = Thread.currentThread();
        return threads.computeIfAbsent(current.threadId(), id -> {
            int track = TRACKS_PER_THREAD * lastThread.getAndIncrement() + 1;
            threadNames.put(track, current.getName().isEmpty() ? "thread " + id : current.getName());
            return track;
        });
    }

    /** Records that this thread sealed a segment.
     *
     * @param track the track of the thread that recorded it
     * @param begun the time at which its first instruction was recorded
     * @param sealing the time at which sealing began
     * @param number 1 for the first segment of the session
     */
    public void sealed(int track, long begun, long sealing, long number, int instructions, int bytes) {
        long end = now();
        String arguments = "\"segment\":" + number + ",\"instructions\":" + instructions;
        span(CLIENT, track, "record", begun, sealing, arguments);
        span(CLIENT, track(), "seal", sealing, end, arguments + ",\"bytes\":" + bytes);
        String arrow = EngineTracks.arrow(process(CLIENT), number);
        ours.add(new TraceEvent('s', process(CLIENT), track(), "segment", sealing - startNanos, 0, arrow, ""));
    }

    /**
     * Records that this thread has waited.
     *
     * @param what the name of the wait, such as {@code look}
     * @param segments the number of segments that were sealed when the wait began, including those of this thread
     */
    public void waited(String what, long start, long segments) {
        span(CLIENT, track() + 1, what, start, now(), "\"segments\":" + segments);
    }

    // ---- the wire

    public void sent(Lane lane, int bytes, long start) {
        span(WIRE, 2 * lane.number() + 1, "frame", start, now(), "\"bytes\":" + bytes);
    }

    public void received(Lane lane, int bytes) {
        ours.add(TraceEvent.instant(
                process(WIRE), 2 * lane.number() + 2, "frame", now() - startNanos, "\"bytes\":" + bytes));
    }

    // ---- the engine

    /** Returns the question for the machine; null if one is pending, or was asked a short while ago. */
    public synchronized ToRuntime.Request question() {
        boolean isDue =
                requests == answers && (hasMore || finishing || requests == 0 || now() - askedNanos > ASK_EVERY_NANOS);
        if (!isDue || finished.getCount() == 0) {
            return null;
        }
        askedNanos = now();
        return ToRuntime.Request.trace(++requests);
    }

    /** Stops asking, because the machine cannot answer. Ends the wait of {@link #finish}. */
    public void expectNothing() {
        finished.countDown();
    }

    public synchronized void answered(Traced answer) {
        long got = now();
        if (answer.getRequest() != requests || answers == requests) {
            throw new MalformedException("trace " + answer.getRequest() + " was never asked for");
        }
        answers++;
        clock.add(askedNanos, answer.getReceivedNanos(), answer.getAnsweredNanos(), got);
        span(WIRE, ROUND_TRIPS, "round trip", askedNanos, got, "\"request\":" + requests);
        reader.read(answer.getEvents().toByteArray(), this::take);
        hasMore = answer.getHasMore();
        // An earlier question may have been answered before the last segment ran.
        if (finishing && !hasMore && requests > requestsBeforeFinishing) {
            finished.countDown();
        }
    }

    private void take(EngineEvent event) {
        if (event instanceof EngineEvent.Dropped dropped) {
            theirs.drop(dropped.events());
        }
        theirs.add(event);
    }

    /** Waits, at most this many milliseconds, until the machine has sent its remaining events. The ticker must continue to ask for them. */
    public void finish(long millis) throws InterruptedException {
        synchronized (this) {
            finishing = true;
            requestsBeforeFinishing = requests;
        }
        finished.await(millis, TimeUnit.MILLISECONDS);
    }

    // ---- the file

    synchronized void collect(List<TraceEvent> events) {
        events.addAll(ours.all());
        name(events, CLIENT, name + ": program");
        name(events, WIRE, name + ": wire");
        name(events, ENGINE, name + ": engine, by the program's clock within " + clock.errorNanos() / 1000 + " us");
        threadNames.forEach((track, thread) -> {
            name(events, CLIENT, track, thread + ": records");
            name(events, CLIENT, track + 1, thread + ": waits");
        });
        for (Lane lane : Lane.ALL) {
            name(events, WIRE, 2 * lane.number() + 1, lane.label() + " out");
            name(events, WIRE, 2 * lane.number() + 2, lane.label() + " in");
        }
        name(events, WIRE, ROUND_TRIPS, "round trips");
        EngineTracks engine = new EngineTracks(process(ENGINE), process(CLIENT), this::ours, events);
        theirs.all().forEach(engine::add);
    }

    private long ours(long machineNanos) {
        return clock.toOurs(machineNanos) - startNanos;
    }

    synchronized String metadata() {
        return TraceFile.quoted(name + (firstProcess == 0 ? "" : " " + (firstProcess / PROCESSES + 1))) + ":{"
                + "\"clockOffsetNanos\":" + clock.firstNanos()
                + ",\"clockErrorNanos\":" + clock.errorNanos()
                + ",\"clockRoundTrips\":" + clock.samples()
                + ",\"droppedClientEvents\":" + ours.dropped()
                + ",\"droppedEngineEvents\":" + theirs.dropped() + "}";
    }

    private void name(List<TraceEvent> events, int process, String what) {
        events.add(new TraceEvent(
                'M', process(process), 0, "process_name", 0, 0, "", "\"name\":" + TraceFile.quoted(what)));
    }

    private void name(List<TraceEvent> events, int process, int track, String what) {
        events.add(new TraceEvent(
                'M', process(process), track, "thread_name", 0, 0, "", "\"name\":" + TraceFile.quoted(what)));
    }

    private void span(int process, int track, String what, long start, long end, String arguments) {
        ours.add(TraceEvent.span(process(process), track, what, start - startNanos, end - startNanos, arguments));
    }

    private int process(int kind) {
        return firstProcess + kind;
    }
}
