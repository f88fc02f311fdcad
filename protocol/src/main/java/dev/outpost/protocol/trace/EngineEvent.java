package dev.outpost.protocol.trace;

/** An event of a session's worker. Times are nanoseconds of the machine's monotonic clock. */
public sealed interface EngineEvent {
    /**
     * A segment ran.
     *
     * @param number the number of the segment in its session, from 1
     * @param instructions the number of its instructions
     * @param arrived the time at which it was received; until its start it waited in the queue
     */
    record Segment(long number, int instructions, long arrived, long start, long end) implements EngineEvent {}

    /** The worker made a plan or waited for it, because no earlier segment had the same structure. */
    record Planned(long start, long end) implements EngineEvent {}

    /** A kernel ran, within a segment. */
    record Kernel(String name, long start, long end) implements EngineEvent {}

    /** A fetch was answered. The time ends when the bytes of the answer are passed on. */
    record Fetched(long fetch, long start, long end) implements EngineEvent {}

    /** Events are missing here, because they were recorded faster than they were read. */
    record Dropped(long events) implements EngineEvent {}
}
