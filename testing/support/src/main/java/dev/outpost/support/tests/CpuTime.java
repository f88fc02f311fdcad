package dev.outpost.support.tests;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The processor time of steps, for tests that limit a cost: other load on the machine does not count. */
public final class CpuTime {
    private CpuTime() {}

    /** Measures steps on the calling thread only. */
    public static Duration of(Await.Steps steps) throws Exception {
        long start = nanos();
        steps.run();
        return Duration.ofNanos(nanos() - start);
    }

    /** Returns the processor time of the calling thread so far. */
    private static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
