package dev.outpost.client.program;

import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A scan that the machine runs: its progress, and the emissions that the program has not taken yet. The machine runs at most a window of
 * runs ahead of the emission that was taken last. The limit ends when a thread waits for work after the scan.
 */
public final class RemoteScan {
    private static final long MAX_RUNS_AHEAD = 1024;
    private static final long MAX_BYTES_AHEAD = 16 << 20;

    private final TensorType[] types;
    private final long max;
    private final long window;
    private final CompletableFuture<Long> over = new CompletableFuture<>();
    private final Map<Long, Emission> emissions = new HashMap<>();
    private volatile ScanControl session;
    private volatile long firstFetch;
    private volatile long number;
    private volatile long iterations;
    private long granted;
    private long taken;
    private long arrived;
    private boolean unbounded;

    private static final class Emission {
        private final BytesSink sink;
        private final CompletableFuture<byte[]> future = new CompletableFuture<>();

        Emission(TensorType type) {
            sink = new BytesSink(Math.toIntExact(type.bytes()));
        }
    }

    public RemoteScan(TensorType[] types, long max) {
        this.types = types;
        this.max = max;
        long bytesEach = Arrays.stream(types).mapToLong(TensorType::bytes).sum();
        this.window = Math.clamp(MAX_BYTES_AHEAD / Math.max(1, bytesEach), 1, MAX_RUNS_AHEAD);
        this.granted = Math.min(max, window);
    }

    /**
     * Sets the session that runs the scan, before it begins.
     *
     * @param first the number of its first fetch
     */
    public void of(ScanControl next, long first) {
        session = next;
        firstFetch = first;
    }

    public boolean isOf(ScanControl other) {
        return session == other;
    }

    /** Waits until there is room for the scan's call. */
    public void awaitRoom() {
        session.awaitRoom();
    }

    /** Expects the emissions. Returns false if the machine was paused since the session was set; then another session must run the scan. */
    boolean begin() {
        if (session.isPaused()) {
            return false;
        }
        session.begin(this);
        return true;
    }

    /** Returns the scan's number in messages; 0 before it is sent. */
    public long number() {
        return number;
    }

    public void number(long sentAs) {
        number = sentAs;
    }

    public long firstFetch() {
        return firstFetch;
    }

    /** Returns the number of runs whose emissions are allowed from the start. */
    public long granted() {
        return granted;
    }

    /** Returns the maximum number of fetches that the scan answers. */
    public long fetches() {
        return Math.multiplyExact(max, (long) types.length);
    }

    /** Returns the number of runs that are known to be done; does not wait. */
    public long iterations() {
        return iterations;
    }

    /** Completes with the number of runs when the scan is over. */
    public CompletableFuture<Long> over() {
        return over;
    }

    /** Asks the machine to end the scan after the current run. */
    public void cancel() {
        session.cancel(this);
    }

    /** Returns one emission as a future; null if the scan ended before it. The caller takes emissions in order, each once. */
    public CompletableFuture<byte[]> take(long iteration, int place) {
        grant(iteration);
        synchronized (this) {
            if (over.isCompletedExceptionally()) {
                return over.thenApply(never -> new byte[0]);
            }
            if (over.isDone() && iteration >= iterations) {
                return null;
            }
            return emission(iteration * types.length + place).future;
        }
    }

    /** Drops an emission that {@link #take} has returned. */
    public synchronized void taken(long iteration, int place) {
        emissions.remove(iteration * types.length + place);
    }

    /** Waits until all emissions of this many runs have arrived. */
    public void awaitEmissions(long runs) {
        for (int place = 0; runs > 0 && place < types.length; place++) {
            CompletableFuture<byte[]> latest;
            synchronized (this) {
                if (arrived >= runs * types.length) {
                    return;
                }
                latest = emission((runs - 1) * types.length + place).future;
            }
            session.waits().join(latest.handle((bytes, failure) -> null));
        }
    }

    private void grant(long iteration) {
        long more;
        synchronized (this) {
            taken = Math.max(taken, iteration);
            more = Math.min(max, taken + window);
            if (!isWorthGranting(more)) {
                return;
            }
            granted = more;
        }
        session.grant(this, more);
    }

    /** Lifts the window, because a thread waits for work after the scan. All emissions are kept here from now on. */
    public void release() {
        long more;
        synchronized (this) {
            unbounded = true;
            more = Math.min(max, iterations + window);
            if (!isWorthGranting(more)) {
                return;
            }
            granted = more;
        }
        session.grant(this, more);
    }

    private boolean isWorthGranting(long more) {
        return more > granted && more - granted >= Math.min(window / 2, max - granted) && !over.isDone();
    }

    // ---- messages of the machine

    public synchronized ElementSink sink(long fetch) {
        return emission(fetch - firstFetch).sink;
    }

    public TensorType type(long fetch) {
        return types[(int) ((fetch - firstFetch) % types.length)];
    }

    public void whole(long fetch) {
        Emission done;
        synchronized (this) {
            done = emission(fetch - firstFetch);
        }
        done.future.complete(done.sink.bytes());
        came(fetch);
    }

    public void failed(long fetch, Throwable reason) {
        Emission done;
        synchronized (this) {
            done = emission(fetch - firstFetch);
        }
        done.future.completeExceptionally(reason);
        came(fetch);
    }

    private void came(long fetch) {
        long run = (fetch - firstFetch) / types.length;
        boolean more;
        synchronized (this) {
            iterations = Math.max(iterations, run);
            arrived++;
            more = unbounded;
        }
        if (more) {
            release();
        }
    }

    /** Returns true if no more emissions will arrive. */
    public synchronized boolean isComplete() {
        return over.isDone() && arrived >= iterations * types.length;
    }

    public void progress(long done, boolean isOver) {
        Map<Long, Emission> never = new HashMap<>();
        synchronized (this) {
            iterations = Math.max(iterations, done);
            if (isOver) {
                over.complete(done);
                emissions.forEach((index, emission) -> {
                    if (index >= done * types.length) {
                        never.put(index, emission);
                    }
                });
            }
        }
        // No emission follows the last run, so threads that wait for one must wake up.
        never.values().forEach(emission -> emission.future.complete(null));
    }

    public void end(Throwable reason) {
        Map<Long, Emission> failing;
        synchronized (this) {
            failing = Map.copyOf(emissions);
        }
        over.completeExceptionally(reason);
        failing.values().forEach(emission -> emission.future.completeExceptionally(reason));
    }

    private Emission emission(long index) {
        return emissions.computeIfAbsent(index, at -> new Emission(types[(int) (at % types.length)]));
    }
}
