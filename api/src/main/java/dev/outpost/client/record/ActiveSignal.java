package dev.outpost.client.record;

import dev.outpost.client.sharding.SignalPlacement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The signal within which a thread records.
 *
 * @param owner the group that the signal belongs to; other owners ignore it
 * @param placement the placement of ops; empty to compute them on the workers of their operands
 * @param backward the placement of the gradients of these ops, or the same
 */
public record ActiveSignal(
        RecordingOwner owner, Optional<SignalPlacement> placement, Optional<SignalPlacement> backward) {
    private static final ThreadLocal<ActiveSignal> CURRENT = new ThreadLocal<>();
    /** The number of threads within a signal. While it is 0, a thread reads only this field and no thread-local. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    /** Returns the signal of the calling thread, or null. */
    public static ActiveSignal ofThread() {
        return ACTIVE.get() == 0 ? null : CURRENT.get();
    }

    /**
     * Makes the calling thread record within {@code next}; null leaves the signal. Returns the signal that it was within before, or null.
     */
    public static ActiveSignal enter(ActiveSignal next) {
        ActiveSignal before = CURRENT.get();
        if (before == null && next != null) {
            ACTIVE.incrementAndGet();
        } else if (before != null && next == null) {
            ACTIVE.decrementAndGet();
        }
        CURRENT.set(next);
        return before;
    }

    /** Returns the placement of the calling thread's ops of a recorder, or null. */
    public static SignalPlacement placement(RecordingOwner owner) {
        ActiveSignal active = ofThread();
        return active == null || active.owner != owner ? null : active.placement.orElse(null);
    }

    /** Runs a body that records the gradients of an op that was recorded within this signal. */
    public void differentiating(Runnable body) {
        within(new ActiveSignal(owner, backward, Optional.empty()), () -> {
            body.run();
            return null;
        });
    }

    /**
     * Runs a body that creates tensors other than data, such as parameters. This thread's signal does not apply to the body, unless the
     * signal shards copies.
     */
    public static <T> T outside(Supplier<T> body) {
        ActiveSignal active = ofThread();
        boolean cutsCopies = active != null
                && active.placement
                        .filter(at -> at.how() == SignalPlacement.How.COPY)
                        .isPresent();
        return active == null || cutsCopies ? body.get() : within(null, body);
    }

    /** Runs a body within a signal; null runs it without a signal. */
    public static <T> T within(ActiveSignal signal, Supplier<T> body) {
        ActiveSignal before = enter(signal);
        try {
            return body.get();
        } finally {
            enter(before);
        }
    }
}
