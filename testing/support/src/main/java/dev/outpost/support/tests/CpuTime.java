package dev.outpost.support.tests;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Processor time of steps, for tests that hold the cost of something to a bound: other load on the machine does not count. */
public final class CpuTime {
    private CpuTime() {}

    /** Of the calling thread alone. */
    public static Duration of(Await.Steps steps) throws Exception {
        long start = nanos();
        steps.run();
        return Duration.ofNanos(nanos() - start);
    }

    /** Processor time of the calling thread so far. */
    private static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
