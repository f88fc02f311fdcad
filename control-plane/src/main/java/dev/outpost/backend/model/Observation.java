package dev.outpost.backend.model;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An observation about a machine, or a decision. */
public sealed interface Observation {

    /** Some time has passed since the last observation. */
    record Tick() implements Observation {}

    /** The admission has checked the request, and the request must wait. */
    record Held(Phase why, String text) implements Observation {
        public Held {
            if (why.state() != Phase.State.QUEUED) {
                throw new IllegalArgumentException("held: expected a phase of QUEUED, got " + why);
            }
        }
    }

    /**
     * The request fits into its quotas, and this cluster has room for it.
     *
     * @param kind the kind of GPU that it gets; the requested one if empty
     */
    record Placed(String cluster, Optional<String> kind) implements Observation {
        public Placed(String cluster) {
            this(cluster, Optional.empty());
        }
    }

    /** The request takes over a machine of a pool, which serves already. */
    record Claimed(String cluster, Machine.Address address, UUID member, Optional<String> kind)
            implements Observation {}

    /** The machine of a pool now belongs to the request {@code by}. */
    record Taken(UUID by) implements Observation {}

    /**
     * The cluster reports that the machine starts.
     *
     * @param phase {@code NODE}, {@code IMAGE} or {@code BOOT}
     */
    record Starting(int epoch, Phase phase, String text) implements Observation {
        public Starting {
            if (phase != Phase.NODE && phase != Phase.IMAGE && phase != Phase.BOOT) {
                throw new IllegalArgumentException("starting: expected NODE, IMAGE or BOOT, got " + phase);
            }
        }
    }

    /** The cluster reports that the machine serves. */
    record Serving(int epoch, Machine.Address address) implements Observation {}

    /**
     * The cluster knows the machine but has no contact to it.
     *
     * @param until the time at which the machine was last known to exist; if empty, the present time
     */
    record Unreachable(int epoch, String text, Optional<Instant> until) implements Observation {
        public Unreachable(int epoch, String text) {
            this(epoch, text, Optional.empty());
        }
    }

    /** The cluster reports that the machine is ending. */
    record Stopping(int epoch, String text) implements Observation {}

    /**
     * The cluster reports that the machine has ended permanently.
     *
     * @param until the time at which the machine was last known to exist; if empty, the present time
     */
    record Stopped(int epoch, EndReason reason, String text, Optional<Instant> until) implements Observation {
        public Stopped(int epoch, EndReason reason, String text) {
            this(epoch, reason, text, Optional.empty());
        }
    }

    /**
     * A complete list of the cluster's machines, requested after the last change of the row, does not contain the machine.
     *
     * @param until the time at which the machine was last known to exist; if empty, the present time
     */
    record Missing(int epoch, Optional<Instant> until) implements Observation {
        public Missing(int epoch) {
            this(epoch, Optional.empty());
        }
    }

    /** The cluster refuses the machine permanently, or no cluster can make it. */
    record Refused(int epoch, String text) implements Observation {}

    /** The machine has received all its grants. */
    record Bound(int epoch) implements Observation {}

    /** A grant was added, changed or removed. */
    record GrantsChanged() implements Observation {}

    /** A client or the backend asks for the machine's end. */
    record EndAsked(String text) implements Observation {}

    /** A client extends the life of the machine until this time. */
    record Extended(Instant until, String text) implements Observation {}

    /** Returns the epoch of the observation; empty if it applies to every epoch. */
    default Optional<Integer> about() {
        return switch (this) {
            case Starting it -> Optional.of(it.epoch());
            case Serving it -> Optional.of(it.epoch());
            case Unreachable it -> Optional.of(it.epoch());
            case Stopping it -> Optional.of(it.epoch());
            case Stopped it -> Optional.of(it.epoch());
            case Missing it -> Optional.of(it.epoch());
            case Refused it -> Optional.of(it.epoch());
            case Bound it -> Optional.of(it.epoch());
            case Tick it -> Optional.empty();
            case Held it -> Optional.empty();
            case Placed it -> Optional.empty();
            case Claimed it -> Optional.empty();
            case Taken it -> Optional.empty();
            case GrantsChanged it -> Optional.empty();
            case EndAsked it -> Optional.empty();
            case Extended it -> Optional.empty();
        };
    }
}
