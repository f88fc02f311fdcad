package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The policy that decides when a machine ends. */
public sealed interface LifetimePolicy {
    /** The machine ends if it receives nothing from its client for the lease time. */
    record ClientLease() implements LifetimePolicy {}

    /**
     * The machine lives for a stated time, with or without a client.
     *
     * @param duration the time from the start of its Job
     */
    record Stated(Duration duration) implements LifetimePolicy {
        public Stated {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("life: expected a time above zero, got " + duration);
            }
        }
    }

    /**
     * A control plane ends the machine, within bounds.
     *
     * @param installation the installation of the control plane
     * @param grants the grants of its users; no other token is accepted
     * @param labels the labels of the control plane
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
