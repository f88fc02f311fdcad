package dev.outpost.bench;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;

/** The phases of one start of a machine, from the request to the first result. */
final class MeasuredStart {
    private final long begin = System.nanoTime();
    private final Map<MachinePhase, Long> reached = new EnumMap<>(MachinePhase.class);
    private long opened;
    private long computed;
    private long closed;

    /** Starts a machine, computes on it, and closes it. The provider reports the phases. */
    static MeasuredStart of(String provider, String gpu) {
        MeasuredStart start = new MeasuredStart();
        MachineOptions options = new MachineOptions().progress(start::report);
        try (RemoteMachine machine = RemoteMachine.of(provider, gpu, options)) {
            start.opened = System.nanoTime();
            try (Tensor sum = machine.ones(2, 3).sum()) {
                sum.itemDouble();
                start.computed = System.nanoTime();
            }
        }
        start.closed = System.nanoTime();
        return start;
    }

    private synchronized void report(ProvisioningStep step) {
        reached.putIfAbsent(step.phase(), System.nanoTime());
    }

    /** Returns the milliseconds from the start of this JVM to now. */
    static double sinceJvmStarted() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    /** Returns the milliseconds from the request to each reported phase, in order. */
    synchronized Map<MachinePhase, Double> phases() {
        Map<MachinePhase, Double> times = new EnumMap<>(MachinePhase.class);
        reached.forEach((phase, time) -> times.put(phase, millis(begin, time)));
        return times;
    }

    /** Returns the milliseconds until {@code RemoteMachine.of} returned. */
    double untilOpened() {
        return millis(begin, opened);
    }

    double untilResult() {
        return millis(begin, computed);
    }

    double closing() {
        return millis(computed, closed);
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }
}
