package dev.outpost.runtime.engine.cpu.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests on which processors the helpers of a kernel run, as they observe it. */
@Tag("quick")
class PinnedWorkersTest {
    private static final int ROUNDS = 20;

    private Affinity system;
    private BitSet allowed;

    @BeforeEach
    void requireLinuxOfSomeProcessors() {
        assumeTrue(Affinity.ofSystem().isPresent(), "which processors threads run on is known on Linux alone");
        system = Affinity.ofSystem().orElseThrow();
        allowed = system.allowed(system.thread());
        assumeTrue(allowed.cardinality() > 1, "there is one processor for all threads");
    }

    @AfterEach
    void allowAll() {
        if (allowed != null) {
            system.allow(system.thread(), allowed);
        }
    }

    @Test
    void theCallerIsOnAProcessorThatItMayRunOn() {
        assertTrue(allowed.get(system.processor()));
    }

    @Test
    void callerIsHelpedOnAllOtherProcessors() throws InterruptedException {
        int threads = allowed.cardinality();
        try (PinnedWorkers pinned = new PinnedWorkers(threads, Affinity::ofSystem)) {
            // The first helpers find out their processors.
            placesOfHelpers(pinned, threads - 1);
            for (int round = 0; round < ROUNDS; round++) {
                for (int here : allowed.stream().toArray()) {
                    system.allow(system.thread(), single(here));
                    Set<BitSet> others = ConcurrentHashMap.newKeySet();
                    allowed.stream().filter(other -> other != here).forEach(other -> others.add(single(other)));
                    assertEquals(others, placesOfHelpers(pinned, threads - 1));
                }
            }
        }
    }

    @Test
    void whereThereAreNotAsManyProcessorsTheSystemPutsThem() throws InterruptedException {
        try (PinnedWorkers pinned = new PinnedWorkers(allowed.cardinality() + 1, Affinity::ofSystem)) {
            assertEquals(Set.of(allowed), placesOfHelpers(pinned, allowed.cardinality()));
            assertEquals(Set.of(allowed), placesOfHelpers(pinned, allowed.cardinality()));
        }
    }

    @Test
    void whereTheSystemSaysNothingAllHelpAllTheSame() throws InterruptedException {
        try (PinnedWorkers pinned = new PinnedWorkers(3, Optional::empty)) {
            assertEquals(Set.of(allowed), placesOfHelpers(pinned, 2));
            assertEquals(Set.of(allowed), placesOfHelpers(pinned, 2));
        }
    }

    /** Returns the processors on which each helper may run. The helpers wait for each other, so each is a different thread. */
    private Set<BitSet> placesOfHelpers(PinnedWorkers pinned, int count) throws InterruptedException {
        Set<BitSet> places = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(count);
        Set<Integer> numbers = ConcurrentHashMap.newKeySet();
        int own = pinned.call(
                number -> {
                    numbers.add(number);
                    places.add(system.allowed(system.thread()));
                    all.countDown();
                    await(all);
                },
                count);
        all.await();
        assertEquals(count, numbers.size());
        assertFalse(numbers.contains(own), "a helper has the caller's number");
        return places;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static BitSet single(int processor) {
        BitSet set = new BitSet();
        set.set(processor);
        return set;
    }
}
