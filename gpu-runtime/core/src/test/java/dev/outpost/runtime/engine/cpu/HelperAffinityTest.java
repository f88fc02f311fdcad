package dev.outpost.runtime.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the system lets helpers of a kernel run. */
@Tag("quick")
@Timeout(20)
class HelperAffinityTest {
    private Affinity system;
    private BitSet allowed;

    @BeforeEach
    void requireLinuxOfSomeProcessors() {
        assumeTrue(Affinity.ofSystem().isPresent(), "affinity is known on Linux alone");
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
    void helpersAreKeptOffTheCallersProcessorWhereverItGoes() throws InterruptedException {
        HelperAffinity affinity = new HelperAffinity(() -> Optional.of(system));
        try (Helper helper = new Helper(affinity)) {
            assertEquals(allowed, system.allowed(helper.number));
            for (int here : allowed.stream().toArray()) {
                system.allow(system.thread(), single(here));
                affinity.avoidCaller();
                BitSet others = (BitSet) allowed.clone();
                others.clear(here);
                assertEquals(others, system.allowed(helper.number));
            }
        }
    }

    @Test
    void oneThatJoinsLaterIsKeptOffAsWell() throws InterruptedException {
        HelperAffinity affinity = new HelperAffinity(() -> Optional.of(system));
        int here = allowed.nextSetBit(0);
        try (Helper first = new Helper(affinity)) {
            system.allow(system.thread(), single(here));
            affinity.avoidCaller();
            system.allow(system.thread(), allowed);
            try (Helper second = new Helper(affinity)) {
                assertTrue(system.allowed(second.number).get(here));
                system.allow(system.thread(), single(here));
                affinity.avoidCaller();
                assertFalse(system.allowed(first.number).get(here));
                assertFalse(system.allowed(second.number).get(here));
            }
        }
    }

    /** What somebody has bound to one processor is left there. */
    @Test
    void onOneProcessorNothingChanges() throws InterruptedException {
        int here = allowed.nextSetBit(0);
        system.allow(system.thread(), single(here));
        HelperAffinity affinity = new HelperAffinity(() -> Optional.of(system));
        try (Helper helper = new Helper(affinity)) {
            affinity.avoidCaller();
            assertEquals(single(here), system.allowed(helper.number));
        }
    }

    @Test
    void elsewhereNothingIsAsked() {
        HelperAffinity affinity = new HelperAffinity(Optional::empty);
        affinity.join();
        affinity.avoidCaller();
        assertEquals(allowed, system.allowed(system.thread()));
    }

    private static BitSet single(int processor) {
        BitSet set = new BitSet();
        set.set(processor);
        return set;
    }

    /** A thread that has joined. */
    private final class Helper implements AutoCloseable {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile int number;

        Helper(HelperAffinity affinity) throws InterruptedException {
            Thread.ofPlatform().daemon().start(() -> {
                number = system.thread();
                affinity.join();
                begun.countDown();
                try {
                    over.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
            begun.await();
        }

        @Override
        public void close() {
            over.countDown();
        }
    }
}
