package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conditions of a machine's life. */
public sealed interface LifetimePolicy {
    /** It lives as long as its client gives a sign of life within every lease. */
    record ClientLease() implements LifetimePolicy {}

    /**
     * It lives for so long, with or without a client.
     *
     * @param duration from the start of its Job on
     */
    record Stated(Duration duration) implements LifetimePolicy {
        public Stated {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("life: expected more than no time, got " + duration);
            }
        }
    }

    /**
     * A control plane decides on it, within bounds.
     *
     * @param installation of the control plane
     * @param grants who may use it; the holder of no other token may
     * @param labels the control plane's own
     * @param job the runner that is a container beside it
     */
    record Controlled(
            String installation,
            MachineBounds bounds,
            List<Grant> grants,
            Map<String, String> labels,
            Optional<JobRun> job)
            implements LifetimePolicy {
        public Controlled {
            grants = List.copyOf(grants);
            labels = Map.copyOf(labels);
        }
    }
}
