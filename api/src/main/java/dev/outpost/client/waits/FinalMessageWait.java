package dev.outpost.client.waits;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for the last word of a machine, as long as the machine gives signs of life. A machine that computes acknowledges what it is
 * sent; one that is stopped, or cut off, does not.
 */
public final class FinalMessageWait {
    /** A machine that acknowledges nothing for so long is not waited for. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final long LOOK_MILLIS = 50;

    private final Duration atMost;
    private final LongSupplier bytesHeard;
    private final BooleanSupplier isAwaitingAcknowledgement;
    private final LongSupplier clock;

    /**
     * @param atMost how long a machine that gives signs of life is waited for
     * @param bytesHeard how many bytes have come from the machine
     * @param isAwaitingAcknowledgement whether something that was sent is not acknowledged
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
     * The last word.
     *
     * @throws TimeoutException where none came; its message says after how long
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
