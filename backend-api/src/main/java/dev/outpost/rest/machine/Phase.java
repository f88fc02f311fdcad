package dev.outpost.rest.machine;

import dev.outpost.provider.MachinePhase;

/**
 * The phases of a machine, in the order of its life. Each phase belongs to a state, and is the reason why the machine
 * waits in that state.
 */
public enum Phase {
    /** A quota of the machine's project or organisation is used up. */
    QUOTA(State.QUEUED, MachinePhase.QUEUED),

    /** Other requests are before it in the queue. */
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

    /** The machine can be used, and is charged. */
    READY(State.READY, MachinePhase.READY),

    /** The cluster does not list the machine, which may come back. */
    LOST(State.LOST, MachinePhase.UNREACHABLE),

    /** The end of the machine was requested. */
    ENDING(State.ENDING, MachinePhase.ENDING),

    /** The machine has ended. */
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

    /** Returns the phase in the terms of providers and clients. They do not distinguish the reasons of a wait. */
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
