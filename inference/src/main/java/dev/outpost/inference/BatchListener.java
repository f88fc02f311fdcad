package dev.outpost.inference;

/** Hears how texts come along, such as for metrics. It is called by the engine's thread and must not wait. */
public interface BatchListener {
    /** Hears nothing. */
    BatchListener NONE = new BatchListener() {};

    /** A text has its first token. */
    default void firstToken(long nanosSinceArrival) {}

    /** A text has another token. */
    default void nextToken(long nanosSinceTheLast) {}

    /** A text is whole. */
    default void finished(Finish finish, long nanosSinceArrival) {}

    /** A step was computed. */
    default void step(int rows, long nanos) {}
}
