package dev.outpost.backend.fleet;

import dev.outpost.backend.model.usage.Quota;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Optional;

/** The decision about a request for a machine. {@link MachineCreation} makes it for starts and for plans. */
public sealed interface Decision {
    /** Returns the reason why the machine does not start now; empty if it starts. */
    Optional<String> why();

    /** True if the request is refused, and does not wait. */
    default boolean isRefused() {
        return !(this instanceof Waits || this instanceof Starts);
    }

    /** No cluster has such a GPU. */
    record Impossible(String text) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(text);
        }
    }

    /**
     * Too many machines of the project failed recently, for example because a program requests another machine after
     * each failure.
     *
     * @param within the time within which failures count
     */
    record Looping(String project, int failures, Duration within) implements Decision {
        public String text() {
            return "project " + project + ": " + failures + " of its machines failed within " + within.toMinutes()
                    + " min, so no more are made for now; read why at /v1/machines?failed=true";
        }

        @Override
        public Optional<String> why() {
            return Optional.of(text());
        }
    }

    /** A budget has too little left. */
    record OverBudget(Budgets.Excess excess) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(excess.text());
        }
    }

    /** The request is larger than a quota. */
    record OverQuota(Quota.Excess excess) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(excess.text());
        }
    }

    /**
     * The request waits.
     *
     * @param phase the first phase of its machine
     * @param excess the quota that it waits for
     * @param cluster the cluster that it waits for, if known
     */
    record Waits(Phase phase, String text, Optional<Quota.Excess> excess, Optional<String> cluster)
            implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(text);
        }
    }

    /**
     * The request gets a machine of this cluster.
     *
     * @param kind the kind of GPU
     * @param isWarm true if the machine comes from a pool, so that the cluster need not start one
     */
    record Starts(String cluster, String kind, boolean isWarm) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.empty();
        }
    }
}
