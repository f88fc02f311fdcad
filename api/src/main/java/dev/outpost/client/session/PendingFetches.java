package dev.outpost.client.session;

import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Values on their way home. The header comes on the control lane and the bytes, when they are many, on the bulk lane, in either order. */
public final class PendingFetches {
    private static final class Pending {
        final TensorType type;
        final long expectedBytes;
        final int unit;
        final ElementSink sink;
        final boolean isPeek;
        final CompletableFuture<Void> future = new CompletableFuture<>();
        int received;
        boolean announced;
        boolean failed;
        /** When it was asked for, and since then, when bytes of it came. */
        long progressNanos;

        Pending(TensorType type, ElementSink sink, boolean isPeek, long nowNanos) {
            this.type = type;
            this.sink = sink;
            this.isPeek = isPeek;
            this.progressNanos = nowNanos;
            this.expectedBytes = type.bytes();
            this.unit = type.dtype().bytes();
        }

        void write(Bytes bytes) {
            if (failed) {
                received += bytes.length();
                return;
            }
            bytes.forEach(unit, piece -> {
                int count = piece.remaining();
                sink.write(received, piece);
                received += count;
            });
        }
    }

    /** Questions that wait for their answer; what is under way besides and this stay below the messages that a machine queues. */
    private static final int MAX_UNANSWERED = 2048;

    private final Map<Long, Pending> pending = new HashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Runnable roomMade;
    private final ReadLimit limit;
    private final TreeMap<Long, RemoteScan> scans = new TreeMap<>();
    private long lastFetch;
    private OutpostException ended;
    private long lastExpiryNanos;

    /**
     * @param roomMade called when there is room for a question again
     * @param limit how long a fetch may make no progress
     */
    PendingFetches(Runnable roomMade, ReadLimit limit) {
        this.roomMade = roomMade;
        this.limit = limit;
        this.lastExpiryNanos = limit.now();
    }

    /** Now and then fails what is late. To be called more often than that. */
    void expire() {
        synchronized (this) {
            long now = limit.now();
            if (now - lastExpiryNanos < limit.checkNanos()) {
                return;
            }
            lastExpiryNanos = now;
        }
        failLate();
    }

    /**
     * Fails what has made no progress for the limit. All of it has failed when this returns, also what another thread is just
     * failing.
     */
    void failLate() {
        List<Pending> late;
        synchronized (this) {
            late = pending.values().stream()
                    .filter(each -> !each.future.isDone() && isLate(each))
                    .toList();
            late.forEach(each -> each.failed = true);
        }
        late.forEach(each -> each.future.completeExceptionally(tooLate(each)));
    }

    /** A fetch whose bytes have begun to arrive makes progress by its own bytes alone. */
    private boolean isLate(Pending fetch) {
        return fetch.received > 0 ? limit.isOverByItself(fetch.progressNanos) : limit.isOver(fetch.progressNanos);
    }

    private OutpostException tooLate(Pending fetch) {
        return limit.exceeded(
                "read: nothing came of " + fetch.type,
                ", " + fetch.received + " of " + fetch.expectedBytes + " bytes are here");
    }

    /** Whether so many questions wait for their answers that another should not be asked. */
    boolean isCrowded() {
        return unanswered.get() >= MAX_UNANSWERED;
    }

    private void answered() {
        if (unanswered.getAndDecrement() >= MAX_UNANSWERED) {
            roomMade.run();
        }
    }

    /** A new fetch of a value of that type, whose elements go to the sink; the answer is its number. */
    public long begin(TensorType type, ElementSink sink) {
        return begin(type, sink, false);
    }

    /** As {@link #begin(TensorType, ElementSink)}. If the fetch is a peek, a failure of it does not count as reported to the program. */
    synchronized long begin(TensorType type, ElementSink sink, boolean isPeek) {
        long fetch = ++lastFetch;
        Pending added = new Pending(type, sink, isPeek, limit.now());
        unanswered.incrementAndGet();
        added.future.whenComplete((nothing, failure) -> answered());
        if (ended != null) {
            added.future.completeExceptionally(ended);
        }
        pending.put(fetch, added);
        return fetch;
    }

    /** Takes that many numbers for what a scan emits; the answer is the first. */
    synchronized long reserve(long count) {
        long first = lastFetch + 1;
        lastFetch += count;
        return first;
    }

    /** Answers to the numbers of a scan are handed to it, from here until no more come. */
    public synchronized void open(RemoteScan scan) {
        scans.put(scan.firstFetch(), scan);
    }

    public synchronized void forgetComplete() {
        scans.values().removeIf(RemoteScan::isComplete);
    }

    public synchronized CompletableFuture<Void> future(long fetch) {
        return pending.get(fetch).future;
    }

    /** The header: with it the whole value, when it is small. */
    void fetched(ToClient.Fetched message) {
        completeIfWhole(message.fetch(), announce(message));
    }

    void chunk(ToClient.DownloadChunk chunk) {
        completeIfWhole(chunk.fetch(), append(chunk));
    }

    private void completeIfWhole(long fetch, Pending found) {
        if (found.announced && found.received == found.expectedBytes && forget(fetch)) {
            found.future.complete(null);
        }
    }

    private synchronized boolean forget(long fetch) {
        return pending.remove(fetch) != null;
    }

    private synchronized Pending announce(ToClient.Fetched message) {
        Pending found = require(message.fetch());
        requireExpected(message, found);
        found.announced = true;
        limit.progressed();
        if (message.bytes().length > 0) {
            found.write(new Slice(message.bytes()));
        }
        return found;
    }

    private static void requireExpected(ToClient.Fetched message, Pending found) {
        if (found.announced) {
            throw new MalformedException("fetch " + message.fetch() + " is answered twice");
        }
        if (!message.type().equals(found.type)) {
            throw new MalformedException(
                    "fetch " + message.fetch() + " answers " + message.type() + ", expected " + found.type);
        }
        int inline = message.bytes().length;
        if (inline > 0 && (inline != found.expectedBytes || found.received > 0)) {
            throw new MalformedException("fetch " + message.fetch() + " answers with " + inline + " bytes after "
                    + found.received + ", expected " + found.expectedBytes);
        }
    }

    private synchronized Pending append(ToClient.DownloadChunk chunk) {
        Pending found = require(chunk.fetch());
        int length = chunk.bytes().length();
        if (chunk.offset() != found.received || found.received + (long) length > found.expectedBytes) {
            throw new MalformedException("a chunk of fetch " + chunk.fetch() + " is out of place at " + chunk.offset());
        }
        if (length % found.unit != 0) {
            throw new MalformedException(
                    "a chunk of fetch " + chunk.fetch() + " has " + length + " bytes, no whole elements");
        }
        found.write(chunk.bytes());
        found.progressNanos = limit.now();
        return found;
    }

    /** True if the fetch serves a print or a debugger, so that its failure does not count as reported to the program. */
    synchronized boolean isPeek(long fetch) {
        return require(fetch).isPeek;
    }

    void failed(long fetch, OutpostException reason) {
        Pending found;
        synchronized (this) {
            found = require(fetch);
            found.failed = true;
            // Once announced, the bytes come all the same.
            if (!found.announced || found.received == found.expectedBytes) {
                pending.remove(fetch);
            }
        }
        found.future.completeExceptionally(reason);
    }

    /** The session is over: every fetch that is pending, or still to come, fails. */
    void end(OutpostException reason) {
        Map<Long, Pending> failing;
        synchronized (this) {
            ended = reason;
            failing = Map.copyOf(pending);
            pending.clear();
        }
        failing.values().forEach(each -> each.future.completeExceptionally(reason));
    }

    private Pending require(long fetch) {
        Pending found = pending.get(fetch);
        if (found == null) {
            found = emission(fetch);
        }
        if (found == null) {
            throw new MalformedException("fetch " + fetch + " was never asked for, or is done");
        }
        return found;
    }

    /** The emission of a scan that is sent without being asked for, or null. */
    private Pending emission(long fetch) {
        Map.Entry<Long, RemoteScan> below = scans.floorEntry(fetch);
        RemoteScan scan = below == null ? null : below.getValue();
        if (scan == null || fetch >= scan.firstFetch() + scan.fetches()) {
            return null;
        }
        Pending added = new Pending(scan.type(fetch), scan.sink(fetch), false, limit.now());
        added.future.whenComplete((nothing, failure) -> {
            if (failure == null) {
                scan.whole(fetch);
            } else {
                scan.failed(fetch, failure);
            }
            forgetComplete();
        });
        pending.put(fetch, added);
        return added;
    }
}
