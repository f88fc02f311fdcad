package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Quota;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Optional;

/** The decision about a request for a machine. {@link MachineCreation} makes it, for a start and for a plan alike. */
public sealed interface Decision {
    /** The reason if the machine does not start now. */
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
     * Too many machines of the project failed of late, as those of a program that asks for another one whenever one fails.
     *
     * @param within the time that was looked at
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

    /** A quota would never have room for it. */
    record OverQuota(Quota.Excess excess) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(excess.text());
        }
    }

    /**
     * It waits.
     *
     * @param phase its first phase
     * @param excess the quota that it waits for
     * @param cluster the one that it waits for, if it is known
     */
    record Waits(Phase phase, String text, Optional<Quota.Excess> excess, Optional<String> cluster)
            implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.of(text);
        }
    }

    /**
     * It is given a machine of this cluster.
     *
     * @param kind the kind of GPU
     * @param isWarm true if the machine waits in a pool, so that the cluster is not asked for one
     */
    record Starts(String cluster, String kind, boolean isWarm) implements Decision {
        @Override
        public Optional<String> why() {
            return Optional.empty();
        }
    }
}
