package dev.outpost.bench.serving;

import com.sun.management.OperatingSystemMXBean;
import dev.outpost.bench.statistics.Median;
import java.lang.management.ManagementFactory;

/** Tokens of a second, and of a second of this process's CPU time, in which a machine of the provider "mock" computes. */
record TokenRate(double perSecond, double perCpuSecond) {
    /** Generates tokens. */
    interface Source {
        /** How many tokens were asked for and came. */
        long generate() throws InterruptedException;
    }

    static TokenRate measure(Source source) throws InterruptedException {
        long begun = System.nanoTime();
        long cpu = cpuNanos();
        long tokens = source.generate();
        return new TokenRate(tokens * 1e9 / (System.nanoTime() - begun), tokens * 1e9 / (cpuNanos() - cpu));
    }

    /** On a shared host it is steadier than time. */
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
