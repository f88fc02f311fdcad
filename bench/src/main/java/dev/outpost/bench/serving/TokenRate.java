package dev.outpost.bench.serving;

import com.sun.management.OperatingSystemMXBean;
import dev.outpost.bench.statistics.Median;
import java.lang.management.ManagementFactory;

/** Tokens per second, and tokens per second of this process's CPU time, which includes a machine of the provider "mock". */
record TokenRate(double perSecond, double perCpuSecond) {
    /** Generates tokens. */
    interface Source {
        /** Returns the number of tokens that were requested and generated. */
        long generate() throws InterruptedException;
    }

    static TokenRate measure(Source source) throws InterruptedException {
        long begun = System.nanoTime();
        long cpu = cpuNanos();
        long tokens = source.generate();
        return new TokenRate(tokens * 1e9 / (System.nanoTime() - begun), tokens * 1e9 / (cpuNanos() - cpu));
    }

    /** Returns the CPU time, which is steadier than elapsed time on a shared host. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** The medians of several measurements. */
    record Medians(Median perSecond, Median perCpuSecond) {
        Medians() {
            this(new Median(), new Median());
        }

        void add(TokenRate rate) {
            perSecond.add(rate.perSecond);
            perCpuSecond.add(rate.perCpuSecond);
        }
    }
}
