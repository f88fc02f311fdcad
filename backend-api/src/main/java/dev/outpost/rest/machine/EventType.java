package dev.outpost.rest.machine;

/** Kinds of events, by the names that the API gives them. */
public enum EventType {
    CREATED,
    WAITING,
    ADMITTED,
    PROGRESS,
    READY,
    LOST,
    FOUND,
    EXTENDED,
    END_ASKED,
    ENDED
}
