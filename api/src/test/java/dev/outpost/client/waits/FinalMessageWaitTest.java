package dev.outpost.client.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FinalMessageWaitTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong heard = new AtomicLong();

    /** Each read of the clock advances it by a second. */
    private FinalMessageWait word(Duration atMost, boolean isAwaitingAcknowledgement) {
        return new FinalMessageWait(
                atMost, heard::get, () -> isAwaitingAcknowledgement, () -> now.getAndAdd(TimeUnit.SECONDS.toNanos(1)));
    }

    @Test
    void theWordIsAnswered() throws Exception {
        assertEquals("bye", word(Duration.ZERO, true).await(CompletableFuture.completedFuture("bye")));
    }

    @Test
    void aMachineThatAcknowledgesNothingIsNotWaitedFor() {
        TimeoutException told = assertThrows(
                TimeoutException.class, () -> word(Duration.ofMinutes(1), true).await(new CompletableFuture<String>()));
        assertEquals("said nothing within PT5S", told.getMessage());
        assertEquals(7, TimeUnit.NANOSECONDS.toSeconds(now.get()));
    }

    @Test
    void aMachineThatComputesIsWaitedForAsLongAsItMayTake() {
        TimeoutException told = assertThrows(
                TimeoutException.class,
                () -> word(Duration.ofSeconds(9), false).await(new CompletableFuture<String>()));
        assertEquals("did not finish within PT9S", told.getMessage());
    }

    @Test
    void aMachineThatIsStillHeardIsWaitedFor() {
        FinalMessageWait word = new FinalMessageWait(
                Duration.ofSeconds(9),
                heard::incrementAndGet,
                () -> true,
                () -> now.getAndAdd(TimeUnit.SECONDS.toNanos(1)));
        assertThrows(TimeoutException.class, () -> word.await(new CompletableFuture<String>()));
        assertEquals(11, TimeUnit.NANOSECONDS.toSeconds(now.get()));
    }
}
