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

/**
 * Fetches whose values have not arrived completely. The header arrives on the control lane and the bytes of a large
 * value on the bulk lane, in either order.
 */
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
        /** The time of the request, or of the latest bytes if some have arrived, in nanoseconds. */
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

    /**
     * The maximum number of requests without an answer. Together with the messages in flight, it stays below the
     * number of messages that a machine queues.
     */
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
     * @param limit the longest time that a fetch may make no progress
     */
    PendingFetches(Runnable roomMade, ReadLimit limit) {
        this.roomMade = roomMade;
        this.limit = limit;
        this.lastExpiryNanos = limit.now();
    }

    /** Fails late fetches, at most once per check interval of the limit. Call it more often than that. */
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
     * Fails the fetches that have made no progress within the limit. When this returns, they have all failed, also those that another
     * thread is failing at the same time.
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

    /** Returns true if a fetch is late. A fetch whose bytes have begun to arrive makes progress by its own bytes alone. */
    private boolean isLate(Pending fetch) {
        return fetch.received > 0 ? limit.isOverByItself(fetch.progressNanos) : limit.isOver(fetch.progressNanos);
    }

    private OutpostException tooLate(Pending fetch) {
        return limit.exceeded(
                "read: nothing came of " + fetch.type,
                ", " + fetch.received + " of " + fetch.expectedBytes + " bytes are here");
    }

    /** Returns true if no further request should be sent before some answers arrive. */
    boolean isCrowded() {
        return unanswered.get() >= MAX_UNANSWERED;
    }

    private void answered() {
        if (unanswered.getAndDecrement() >= MAX_UNANSWERED) {
            roomMade.run();
        }
    }

    /** Begins a fetch of a value of this type into the sink. Returns the number of the fetch. */
    public long begin(TensorType type, ElementSink sink) {
        return begin(type, sink, false);
    }

    /**
     * Same as {@link #begin(TensorType, ElementSink)}. If the fetch is a peek, a failure of it does not count as
     * reported to the program.
     */
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

    /** Returns a future that completes when the fetches of this moment are complete, or have failed. */
    synchronized CompletableFuture<Void> answersToAll() {
        return CompletableFuture.allOf(pending.values().stream()
                .map(fetch -> fetch.future.handle((nothing, failure) -> null))
                .toArray(CompletableFuture[]::new));
    }

    /** Reserves {@code count} consecutive fetch numbers for the emissions of a scan. Returns the first. */
    synchronized long reserve(long count) {
        long first = lastFetch + 1;
        lastFetch += count;
        return first;
    }

    /** Passes answers with the scan's fetch numbers to the scan from now on. */
    public synchronized void open(RemoteScan scan) {
        scans.put(scan.firstFetch(), scan);
    }

    public synchronized void forgetComplete() {
        scans.values().removeIf(RemoteScan::isComplete);
    }

    public synchronized CompletableFuture<Void> future(long fetch) {
        return pending.get(fetch).future;
    }

    /** Handles the header of an answer; a small value is in the header. */
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
            // After the header of a large value, its bytes still have to arrive.
            if (!found.announced || found.received == found.expectedBytes) {
                pending.remove(fetch);
            }
        }
        found.future.completeExceptionally(reason);
    }

    /** Ends the session: all pending and later fetches fail. */
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

    /** Returns the pending fetch for an emission, which the machine sends unasked; null if no open scan has the number. */
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
