package dev.outpost.client.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class AdaptiveSpinTest {
    private static final long BRIEF = AdaptiveSpin.MOMENT_NANOS - 1;
    private static final long LONG = AdaptiveSpin.MOMENT_NANOS;

    private long now;
    private final AdaptiveSpin spin = new AdaptiveSpin(this::keep, () -> now);
    private int watches;
    /** An action that takes place while a thread spins. */
    private Runnable meanwhile = () -> {};

    private void keep(BooleanSupplier holds, long nanos) {
        assertEquals(AdaptiveSpin.MOMENT_NANOS, nanos);
        watches++;
        meanwhile.run();
    }

    @AfterEach
    void forgetInterrupts() {
        Thread.interrupted();
    }

    /** Waits for this time repeatedly, and returns how often the thread stayed awake. */
    private int watchesOf(int waits, long nanos) {
        int before = watches;
        for (int wait = 0; wait < waits; wait++) {
            spin.until(() -> false, () -> now += nanos);
        }
        return watches - before;
    }

    private static <T> T get(AdaptiveSpin spin, CompletableFuture<T> coming) throws Exception {
        return spin.get(coming, Long.MAX_VALUE, () -> {
            throw new AssertionError("nothing is to be asked again");
        });
    }

    @Test
    void fruitlessSpinSleepsAndAsksAgain() {
        int[] asked = new int[1];
        CompletableFuture<String> coming = new CompletableFuture<>();
        assertThrows(
                IllegalStateException.class,
                () -> spin.get(coming, 1000, () -> {
                    if (++asked[0] == 3) {
                        throw new IllegalStateException("enough");
                    }
                }));
        assertEquals(3, asked[0]);
    }

    @Test
    void shortWaitsKeepSpinning() {
        assertEquals(0, watchesOf(5, BRIEF));
        assertEquals(10, watchesOf(10, BRIEF));
    }

    @Test
    void longWaitsSleep() {
        watchesOf(AdaptiveSpin.REMEMBERED, BRIEF);
        assertEquals(4, watchesOf(20, LONG));
        assertEquals(0, watchesOf(5, BRIEF));
        assertEquals(1, watchesOf(1, BRIEF));
    }

    @Test
    void singleLongWaitKeepsSpinning() {
        watchesOf(AdaptiveSpin.REMEMBERED, BRIEF);
        for (int round = 0; round < 10; round++) {
            assertEquals(1, watchesOf(1, LONG));
            assertEquals(3, watchesOf(3, BRIEF));
        }
    }

    @Test
    void presentValueDoesNotCountAsAWait() throws Exception {
        watchesOf(5, BRIEF);
        assertEquals("here", get(spin, CompletableFuture.completedFuture("here")));
        spin.until(() -> true, () -> {
            throw new AssertionError("nobody should sleep");
        });
        assertEquals(5, watchesOf(5, BRIEF));
        assertEquals(5, watches);
    }

    @Test
    void anAnswerIsThatOrItsFailure() throws Exception {
        watchesOf(5, BRIEF);
        CompletableFuture<String> coming = new CompletableFuture<>();
        meanwhile = () -> coming.complete("there");
        assertEquals("there", get(spin, coming));

        CompletableFuture<String> failing = new CompletableFuture<>();
        meanwhile = () -> failing.completeExceptionally(new IllegalStateException());
        assertThrows(ExecutionException.class, () -> get(spin, failing));
        assertEquals(2, watches);
    }

    @Test
    void interruptEndsTheSleep() {
        watchesOf(5, BRIEF);
        boolean[] ends = new boolean[1];
        AdaptiveSpin looking = new AdaptiveSpin((holds, nanos) -> ends[0] = holds.getAsBoolean(), () -> now);
        for (int wait = 0; wait < 5; wait++) {
            looking.until(() -> false, () -> {});
        }
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> get(looking, new CompletableFuture<>()));
        assertTrue(ends[0]);
    }
}
