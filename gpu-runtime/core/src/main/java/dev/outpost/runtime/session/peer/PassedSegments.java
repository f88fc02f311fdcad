package dev.outpost.runtime.session.peer;

import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.types.MalformedException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Passes segments on between the members of a group. Each segment is passed on as soon as it arrives, even while the
 * worker thread computes or waits. Thread-safe.
 */
final class PassedSegments {
    /** Provides the session's group. */
    @FunctionalInterface
    interface Joining {
        /** Waits until the members are connected. */
        PeerGroup await(String op) throws InterruptedException;
    }

    private final Joining joining;
    private final Map<Long, CompletableFuture<SegmentBundle>> expected = new ConcurrentHashMap<>();

    PassedSegments(Joining joining) {
        this.joining = joining;
    }

    /** Passes on the parts of other members. Does not wait. */
    void passOn(SegmentBundle bundle) {
        start(bundle.number(), () -> {
            try {
                joining.await(op(bundle.number())).passOn(bundle);
            } catch (InterruptedException | RuntimeException ignored) {
                // The lanes report the failure to the members that wait for this one, and those members report it to
                // the client.
            }
        });
    }

    /**
     * Starts to receive a segment from another member, and passes on the parts for other members that arrive with it.
     * Does not wait.
     */
    void expect(ToRuntime.TakeSegment take) {
        CompletableFuture<SegmentBundle> bundle = new CompletableFuture<>();
        if (expected.putIfAbsent(take.number(), bundle) != null) {
            throw new MalformedException("segment " + take.number() + " is to be taken twice");
        }
        start(take.number(), () -> {
            try {
                PeerGroup group = joining.await(op(take.number()));
                SegmentBundle came = group.take(take.number(), take.program(), take.from());
                bundle.complete(came);
                group.passOn(came);
            } catch (InterruptedException | RuntimeException failure) {
                bundle.completeExceptionally(failure);
            }
        });
    }

    /** Waits for an expected segment and returns it. */
    SegmentBundle take(long number) throws InterruptedException {
        try {
            return expected.get(number).get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new InterruptedException(op(number) + ": interrupted");
        } finally {
            expected.remove(number);
        }
    }

    private static void start(long number, Runnable work) {
        Thread.ofVirtual().name("outpost-segment-" + number).start(work);
    }

    private static String op(long number) {
        return "segment " + number;
    }
}
