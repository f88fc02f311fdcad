package dev.outpost.protocol.trace;

/** Something that a session's worker did. Times are nanoseconds of the machine's monotonic clock. */
public sealed interface EngineEvent {
    /**
     * A segment ran.
     *
     * @param number 1 for the first that the session ran
     * @param instructions how many it has
     * @param arrived when it came off the wire; what lies between that and its start it waited in the queue
     */
    record Segment(long number, int instructions, long arrived, long start, long end) implements EngineEvent {}

    /** A plan was made, or waited for, since no earlier segment was like this one. */
    record Planned(long start, long end) implements EngineEvent {}

    /** A kernel ran, within a segment. */
    record Kernel(String name, long start, long end) implements EngineEvent {}

    /** A fetch was answered, up to where its bytes are handed on. */
    record Fetched(long fetch, long start, long end) implements EngineEvent {}

    /** So many events are missing here, since they came faster than they were asked for. */
    record Dropped(long events) implements EngineEvent {}
}
