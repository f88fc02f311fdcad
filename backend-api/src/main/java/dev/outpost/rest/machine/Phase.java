package dev.outpost.rest.machine;

import dev.outpost.provider.MachinePhase;

/** The phases of a machine, in the order of its life. Each belongs to a state, and says why the machine waits in it. */
public enum Phase {
    /** A quota of its project or organisation is used up. */
    QUOTA(State.QUEUED, MachinePhase.QUEUED),

    /** Others are before it in the queue. */
    POSITION(State.QUEUED, MachinePhase.QUEUED),

    /** No cluster has room for it. */
    CAPACITY(State.QUEUED, MachinePhase.QUEUED),

    /** The machine fits into its quotas and has a cluster, which is requested to start it. */
    ADMITTED(State.STARTING, MachinePhase.SCHEDULING),

    /** The cluster looks for a node. */
    NODE(State.STARTING, MachinePhase.SCHEDULING),

    /** Its image is fetched. */
    IMAGE(State.STARTING, MachinePhase.PULLING),

    /** Its process starts. */
    BOOT(State.STARTING, MachinePhase.STARTING),

    /** The machine serves, and receives its grants. */
    BIND(State.STARTING, MachinePhase.CONNECTING),

    /** It can be used, and costs. */
    READY(State.READY, MachinePhase.READY),

    /** Its cluster does not see it; it may come back. */
    LOST(State.LOST, MachinePhase.UNREACHABLE),

    /** It was asked to end. */
    ENDING(State.ENDING, MachinePhase.ENDING),

    /** It is over. */
    ENDED(State.ENDED, MachinePhase.ENDED);

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
    private final MachinePhase phase;

    Phase(State state, MachinePhase phase) {
        this.state = state;
        this.phase = phase;
    }

    /** Returns the phase as providers and clients see it. They do not distinguish the reasons of a wait. */
    public MachinePhase machinePhase() {
        return phase;
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
