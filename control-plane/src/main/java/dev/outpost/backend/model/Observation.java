package dev.outpost.backend.model;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An observation about a machine, or a decision. */
public sealed interface Observation {

    /** Nothing but that time went by. */
    record Tick() implements Observation {}

    /** The queue has looked at it, and it waits. */
    record Held(Phase why, String text) implements Observation {
        public Held {
            if (why.state() != Phase.State.QUEUED) {
                throw new IllegalArgumentException("held: expected a phase of QUEUED, got " + why);
            }
        }
    }

    /**
     * It has its share of the quota, and this cluster has room for it.
     *
     * @param kind the kind of GPU that it is given; the one that it asks for where it is empty
     */
    record Placed(String cluster, Optional<String> kind) implements Observation {
        public Placed(String cluster) {
            this(cluster, Optional.empty());
        }
    }

    /** A machine of a pool, which serves already, is its machine from now on. */
    record Claimed(String cluster, Machine.Address address, UUID member, Optional<String> kind)
            implements Observation {}

    /** It waited in a pool, and is the machine of that request from now on. */
    record Taken(UUID by) implements Observation {}

    /**
     * The cluster sees it on its way.
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

    /** The cluster sees it serve. */
    record Serving(int epoch, Machine.Address address) implements Observation {}

    /**
     * The cluster knows of it and does not hear of it.
     *
     * @param until when it was last known to be there; now if it is empty
     */
    record Unreachable(int epoch, String text, Optional<Instant> until) implements Observation {
        public Unreachable(int epoch, String text) {
            this(epoch, text, Optional.empty());
        }
    }

    /** The cluster sees that its end is under way. */
    record Stopping(int epoch, String text) implements Observation {}

    /**
     * The cluster sees that it does not run and never will again.
     *
     * @param until when it was last known to be there; now if it is empty
     */
    record Stopped(int epoch, EndReason reason, String text, Optional<Instant> until) implements Observation {
        public Stopped(int epoch, EndReason reason, String text) {
            this(epoch, reason, text, Optional.empty());
        }
    }

    /**
     * A whole list of the cluster's machines, asked for after the row was last changed, does not have it.
     *
     * @param until when it was last known to be there; now if it is empty
     */
    record Missing(int epoch, Optional<Instant> until) implements Observation {
        public Missing(int epoch) {
            this(epoch, Optional.empty());
        }
    }

    /** The cluster will not make it, however often it is asked; or no cluster can. */
    record Refused(int epoch, String text) implements Observation {}

    /** The machine was told of all its grants. */
    record Bound(int epoch) implements Observation {}

    /** There is another grant, or one less. */
    record GrantsChanged() implements Observation {}

    /** A client or the backend asks for the machine's end. */
    record EndAsked(String text) implements Observation {}

    /** A client asks that the machine live until then. */
    record Extended(Instant until, String text) implements Observation {}

    /** The epoch that it is about; none where it is about the machine whatever its epoch. */
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
