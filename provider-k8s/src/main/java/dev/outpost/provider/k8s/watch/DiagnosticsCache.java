package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.Diagnostics;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The diagnostics of a fleet's machines that do not run. They are read again now and then while a machine starts, and once after it has
 * ended. One pass over all machines reads a limited number, because a long queue would otherwise cause a flood of requests.
 */
public final class DiagnosticsCache {
    private static final int IN_ONE_PASS = 16;

    /** The time of the next read if the diagnostics are not read again. */
    private static final long NEVER = Long.MAX_VALUE;

    private record Read(Diagnostics diagnostics, long due) {}

    private final DiagnosticsReader diagnosticsReader;
    private final LongSupplier nanos;
    private final long interval;
    private final Map<String, Read> byJob = new ConcurrentHashMap<>();

    /** @param interval the time after which the diagnostics of a starting machine are read again */
    public DiagnosticsCache(DiagnosticsReader diagnosticsReader, Duration interval, LongSupplier nanos) {
        this.diagnosticsReader = diagnosticsReader;
        this.interval = interval.toNanos();
        this.nanos = nanos;
    }

    /** Starts a pass over all machines. */
    public Pass pass() {
        return new Pass();
    }

    /** Removes the diagnostics of all other Jobs. */
    public void keep(Set<String> jobs) {
        byJob.keySet().retainAll(jobs);
    }

    /** Counts the reads of one pass. Not thread-safe. */
    public final class Pass {
        private int left = IN_ONE_PASS;

        public ObservedMachine explain(ObservedMachine observed) {
            return observed.job()
                    .map(job -> observed.with(explanation(job.getMetadata().getUid(), observed)))
                    .orElse(observed);
        }

        private Diagnostics explanation(String job, ObservedMachine observed) {
            Read known = byJob.getOrDefault(job, new Read(Diagnostics.NONE, Long.MIN_VALUE));
            boolean isOver = isOver(observed);
            boolean due = isOver ? known.due() != NEVER : !isRunning(observed) && nanos.getAsLong() >= known.due();
            if (!due || left == 0) {
                return known.diagnostics();
            }
            left--;
            Diagnostics read = diagnosticsReader.read(observed);
            byJob.put(job, new Read(read, isOver ? NEVER : nanos.getAsLong() + interval));
            return read;
        }
    }

    private static boolean isRunning(ObservedMachine observed) {
        return PodReasons.of(observed) instanceof PodState.Running;
    }

    private static boolean isOver(ObservedMachine observed) {
        return switch (PodReasons.of(observed)) {
            case PodState.Refused refused -> true;
            case PodState.Ended ended -> true;
            case PodState.Coming coming -> false;
            case PodState.Stuck stuck -> false;
            case PodState.Running running -> false;
        };
    }
}
