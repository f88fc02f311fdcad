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

    private record Read(Diagnostics explanation, long due) {}

    private final DiagnosticsReader circumstances;
    private final LongSupplier nanos;
    private final long interval;
    private final Map<String, Read> byJob = new ConcurrentHashMap<>();

    /** @param interval after which what comes is explained anew */
    public DiagnosticsCache(DiagnosticsReader circumstances, Duration interval, LongSupplier nanos) {
        this.circumstances = circumstances;
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

        public ObservedMachine explain(ObservedMachine seen) {
            return seen.job()
                    .map(job -> explanation(job.getMetadata().getUid(), seen).of(seen))
                    .orElse(seen);
        }

        private Diagnostics explanation(String job, ObservedMachine seen) {
            Read known = byJob.getOrDefault(job, new Read(Diagnostics.NONE, Long.MIN_VALUE));
            boolean over = isOver(seen);
            boolean due = over ? known.due() != NEVER : !isRunning(seen) && nanos.getAsLong() >= known.due();
            if (!due || left == 0) {
                return known.explanation();
            }
            left--;
            Diagnostics read = circumstances.read(seen);
            byJob.put(job, new Read(read, over ? NEVER : nanos.getAsLong() + interval));
            return read;
        }
    }

    private static boolean isRunning(ObservedMachine seen) {
        return PodReasons.of(seen) instanceof PodState.Running;
    }

    private static boolean isOver(ObservedMachine seen) {
        return switch (PodReasons.of(seen)) {
            case PodState.Refused refused -> true;
            case PodState.Ended ended -> true;
            case PodState.Coming coming -> false;
            case PodState.Stuck stuck -> false;
            case PodState.Running running -> false;
        };
    }
}
