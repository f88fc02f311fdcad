package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A value of gigabytes, within its client's quota, is created and closed beside clients with small requests. */
@Tag("full")
class LargeValueTest {
    private static final long ELEMENTS = 3L << 28;
    private static final long NEEDED = 10L << 30;
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** The limit for an answer, and for a new connection with its handshakes. */
    private static final Duration BUDGET = Duration.ofSeconds(4);

    private final AtomicBoolean isOver = new AtomicBoolean();

    @BeforeAll
    static void requireMemory() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        assumeTrue(system.getTotalMemorySize() >= NEEDED, "a heap of 6 GiB beside the tests wants 10 GiB of memory");
    }

    @Test
    void neighbourOfALargeValueIsAnswered() throws Exception {
        try (RuntimeProcess runtime = RuntimeProcess.start(
                        "-Xmx6g",
                        "-XX:-UseSerialGC",
                        "-XX:+UseG1GC",
                        "-XX:+UseTransparentHugePages",
                        "--lease",
                        LEASE.toSeconds() + "s");
                RemoteMachine neighbour = runtime.connect().awaitReady();
                ExecutorService others = Executors.newFixedThreadPool(2)) {
            Future<Duration> answers = others.submit(() -> longest(() -> assertAnswers(neighbour)));
            Future<Duration> connections = others.submit(() -> longest(() -> {
                try (RemoteMachine newcomer = runtime.connect()) {
                    assertAnswers(newcomer);
                }
            }));
            try {
                makeAndClose(runtime);
            } finally {
                isOver.set(true);
            }
            assertWithin(BUDGET, answers.get(), "an answer");
            assertWithin(BUDGET, connections.get(), "a connection");
            assertAnswers(neighbour);
        }
    }

    private static void makeAndClose(RuntimeProcess runtime) {
        ManagementClient management = ManagementClient.of(runtime);
        try (RemoteMachine large = runtime.connect()) {
            for (int time = 1; time <= 3; time++) {
                try (Tensor value = large.full(time, DType.FLOAT32, ELEMENTS);
                        Tensor last = value.narrow(0, ELEMENTS - 1, 1)) {
                    assertEquals(time, last.itemDouble());
                    assertTrue(management.liveBytes() >= ELEMENTS * Float.BYTES, "it is not there as a whole");
                }
                large.synchronize();
            }
        }
    }

    private static void assertAnswers(RemoteMachine machine) {
        assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
    }

    /** The longest of many measured times. */
    private Duration longest(Runnable action) {
        long longest = 0;
        while (!isOver.get()) {
            long start = System.nanoTime();
            action.run();
            longest = Math.max(longest, System.nanoTime() - start);
        }
        return Duration.ofNanos(longest);
    }

    private static void assertWithin(Duration budget, Duration longest, String what) {
        assertTrue(longest.compareTo(budget) < 0, () -> what + " took " + longest);
    }
}
