package dev.outpost.rest.machine;

/** The types of a machine's events, by their names in the API. */
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
