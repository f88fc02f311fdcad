package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.reason.PodReasons;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.PodState;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The diagnostics of machines of a fleet that do not run. Each is read again now and then while it comes, and once
 * when it has ended; not more than some in one pass over all of them, or a long queue would be a flood of requests.
 */
public final class DiagnosticsCache {
    private static final int IN_ONE_PASS = 16;

    /** A time in which nothing is read again. */
    private static final long NEVER = Long.MAX_VALUE;

    private record Read(Diagnostics diagnostics, long due) {}

    private final DiagnosticsReader diagnosticsReader;
    private final LongSupplier nanos;
    private final long interval;
    private final Map<String, Read> byJob = new ConcurrentHashMap<>();

    /** @param interval after which what comes is explained anew */
    public DiagnosticsCache(DiagnosticsReader diagnosticsReader, Duration interval, LongSupplier nanos) {
        this.diagnosticsReader = diagnosticsReader;
        this.interval = interval.toNanos();
        this.nanos = nanos;
    }

    /** One look at all machines. */
    public Pass pass() {
        return new Pass();
    }

    /** Forgets all others. */
    public void keep(Set<String> jobs) {
        byJob.keySet().retainAll(jobs);
    }

    /** Counts what is read. For one thread. */
    public final class Pass {
        private int left = IN_ONE_PASS;

        public ObservedMachine explain(ObservedMachine observed) {
            return observed.job()
                    .map(job ->
                            explanation(job.getMetadata().getUid(), observed).of(observed))
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
