package dev.outpost.inference;

/** Receives the events of texts and steps, for example for metrics. The engine's thread calls it, so it must not wait. */
public interface BatchListener {
    /** A listener that ignores all events. */
    BatchListener NONE = new BatchListener() {};

    /** Called when the first token of a text was read. */
    default void firstToken(long nanosSinceArrival) {}

    /** Called for each further token of a text. */
    default void nextToken(long nanosSinceTheLast) {}

    /** Called when a text is finished. */
    default void finished(Finish finish, long nanosSinceArrival) {}

    /** Called when a step was computed. */
    default void step(int rows, long nanos) {}
}
