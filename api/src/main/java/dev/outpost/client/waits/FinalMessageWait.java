package dev.outpost.client.waits;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for the last message of a machine, as long as the machine shows signs of life. A machine that computes still acknowledges messages;
 * one that is stopped or disconnected does not.
 */
public final class FinalMessageWait {
    /** The longest silence of a machine with unacknowledged messages. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final long LOOK_MILLIS = 50;

    private final Duration atMost;
    private final LongSupplier bytesHeard;
    private final BooleanSupplier isAwaitingAcknowledgement;
    private final LongSupplier clock;

    /**
     * @param atMost the longest wait for a machine that shows signs of life
     * @param bytesHeard returns the number of bytes received from the machine
     * @param isAwaitingAcknowledgement returns true if a message is not acknowledged
     * @param clock a monotonic clock in nanoseconds
     */
    public FinalMessageWait(
            Duration atMost, LongSupplier bytesHeard, BooleanSupplier isAwaitingAcknowledgement, LongSupplier clock) {
        this.atMost = atMost;
        this.bytesHeard = bytesHeard;
        this.isAwaitingAcknowledgement = isAwaitingAcknowledgement;
        this.clock = clock;
    }

    /**
     * Waits for the last message.
     *
     * @throws TimeoutException if none came; its message has the time
     */
    public <T> T await(CompletableFuture<T> word) throws InterruptedException, ExecutionException, TimeoutException {
        long begun = clock.getAsLong();
        long heardAt = begun;
        long heard = bytesHeard.getAsLong();
        while (true) {
            try {
                return word.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException ignored) {
                long now = clock.getAsLong();
                long latest = bytesHeard.getAsLong();
                if (latest != heard || !isAwaitingAcknowledgement.getAsBoolean()) {
                    heard = latest;
                    heardAt = now;
                }
                if (now - heardAt > SILENCE.toNanos()) {
                    throw new TimeoutException("said nothing within " + SILENCE);
                }
                if (now - begun > atMost.toNanos()) {
                    throw new TimeoutException("did not finish within " + atMost);
                }
            }
        }
    }
}
