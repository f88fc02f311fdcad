package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class UnknownKeyGuardTest {
    private static final String ADDRESS = "192.0.2.1";
    private static final byte[] VALID = {1};
    private static final byte[] UNKNOWN = {2};
    private static final int BURST = 100;

    private final AtomicLong nanos = new AtomicLong();
    private final UnknownKeyGuard guard = new UnknownKeyGuard(nanos::get);
    private final AtomicInteger queries = new AtomicInteger();

    private Optional<String> show(String address, byte[] hash, boolean isValid) {
        return guard.find(address, hash, () -> {
            queries.incrementAndGet();
            return isValid ? Optional.of("ada") : Optional.empty();
        });
    }

    private void guess(int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(Optional.empty(), show(ADDRESS, UNKNOWN, false));
        }
    }

    @Test
    void addressThatGuessesIsRefusedWithoutAQueryAndOthersAreNot() {
        guess(BURST);
        Problem refused = assertThrows(Problem.class, () -> show(ADDRESS, UNKNOWN, false));
        assertEquals(BURST, queries.get());
        assertEquals(Problem.Code.TOO_MANY_REQUESTS, refused.code());
        assertEquals(
                "rate limit of this address: 10 unknown keys a second are allowed; try again in 100 ms",
                refused.getMessage());
        assertEquals(
                "address/unknown-keys-per-second", refused.limit().orElseThrow().name());
        assertEquals(Optional.empty(), show("192.0.2.2", UNKNOWN, false));
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        guess(1);
    }

    @Test
    void allAddressesTogetherAreLimited() {
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < BURST; j++) {
                show("192.0.2." + i, UNKNOWN, false);
            }
        }
        Problem refused = assertThrows(Problem.class, () -> show("198.51.100.1", UNKNOWN, false));
        assertEquals(
                "all-addresses/unknown-keys-per-second",
                refused.limit().orElseThrow().name());
    }

    @Test
    void keyThatWasValidIsNotRefusedForGuessesOfItsAddress() {
        show(ADDRESS, VALID, true);
        guess(BURST);
        assertEquals(Optional.of("ada"), show(ADDRESS, VALID, true));
        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        guess(BURST);
        assertThrows(Problem.class, () -> show(ADDRESS, VALID, true), "it was seen long ago");
    }

    @Test
    void keyThatIsValidNoMoreIsLimitedLikeOthers() {
        show(ADDRESS, VALID, true);
        guess(BURST);
        assertEquals(Optional.empty(), show(ADDRESS, VALID, false));
        assertThrows(Problem.class, () -> show(ADDRESS, VALID, false));
    }

    @Test
    void validKeysAndFailedQueriesAreNotCounted() {
        for (int i = 0; i < 2 * BURST; i++) {
            show(ADDRESS, new byte[] {3, (byte) i}, true);
            assertThrows(
                    IllegalStateException.class,
                    () -> guard.find(ADDRESS, UNKNOWN, () -> {
                        throw new IllegalStateException("the database is away");
                    }));
        }
        guess(BURST);
    }

    /** All of them arrive before the first one is found to be unknown. */
    @Test
    void guessesAtOnceAreLimitedToo() throws Exception {
        CountDownLatch inQuery = new CountDownLatch(BURST);
        CountDownLatch answer = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<String>>> guesses = new ArrayList<>();
            for (int i = 0; i < BURST; i++) {
                guesses.add(threads.submit(() -> guard.find(ADDRESS, UNKNOWN, () -> {
                    inQuery.countDown();
                    awaitOpened(answer);
                    return Optional.empty();
                })));
            }
            Await.opened("all guesses are asked about", inQuery);
            assertThrows(Problem.class, () -> show(ADDRESS, UNKNOWN, false));
            answer.countDown();
            for (Future<Optional<String>> guess : guesses) {
                assertEquals(Optional.empty(), Await.result("a guess", guess));
            }
        }
    }

    private static void awaitOpened(CountDownLatch latch) {
        try {
            Await.opened("the answers", latch);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
