package dev.outpost.rest.machine;

/** The phases of a machine, in the order of its life. Each belongs to a state, and says why the machine waits in it. */
public enum Phase {
    /** A quota of its project or organisation is used up. */
    QUOTA(State.QUEUED),

    /** Others are before it in the queue. */
    POSITION(State.QUEUED),

    /** No cluster has room for it. */
    CAPACITY(State.QUEUED),

    /** The machine fits into its quotas and has a cluster, which is requested to start it. */
    ADMITTED(State.STARTING),

    /** The cluster looks for a node. */
    NODE(State.STARTING),

    /** Its image is fetched. */
    IMAGE(State.STARTING),

    /** Its process starts. */
    BOOT(State.STARTING),

    /** The machine serves, and receives its grants. */
    BIND(State.STARTING),

    /** It can be used, and costs. */
    READY(State.READY),

    /** Its cluster does not see it; it may come back. */
    LOST(State.LOST),

    /** It was asked to end. */
    ENDING(State.ENDING),

    /** It is over. */
    ENDED(State.ENDED);

    /** The state in the API. */
    public enum State {
        QUEUED,
        STARTING,
        READY,
        LOST,
        ENDING,
        ENDED
    }

    private final State state;

    Phase(State state) {
        this.state = state;
    }

    public State state() {
        return state;
    }

    /** True if a cluster may have a machine of this phase. */
    public boolean isPlaced() {
        return state != State.QUEUED && state != State.ENDED;
    }

    /** True if time in this phase is charged. */
    public boolean isMetered() {
        return this == READY;
    }
}
