package dev.outpost.provider;

/**
 * The phases of a machine, in the order of its life. A machine may skip phases, and only {@link #UNREACHABLE} leads back. A start reports
 * the phases up to {@link #READY}. A fleet reports all phases except {@link #CONNECTING}, which only a client sees.
 */
public enum MachinePhase {
    /** It waits for a quota, for its place in a queue, or for capacity. */
    QUEUED,

    /** The supplier looks for a node for it, or creates one. */
    SCHEDULING,

    /** Its image is being pulled. */
    PULLING,

    /** Its process starts. */
    STARTING,

    /** It accepts sessions, and a client connects to it. */
    CONNECTING,

    /** It accepts sessions. */
    READY,

    /** The supplier cannot reach it. It may be lost, or reachable again soon. */
    UNREACHABLE,

    /** It was asked to end. */
    ENDING,

    /** It has stopped for good; {@link dev.outpost.provider.fleet.MachineFleet#end} removes its remains. */
    ENDED,

    /** Nothing is left of it. A watch reports this phase once; a list never contains it. */
    GONE
}
