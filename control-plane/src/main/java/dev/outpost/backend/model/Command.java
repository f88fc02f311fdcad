package dev.outpost.backend.model;

/** The request to the machine's cluster once the row is committed. Each can be repeated. */
public enum Command {
    /** Make the machine of this id and epoch unless it exists. */
    ENSURE,

    /** Send the machine its grants. */
    BIND,

    /** End the machine, and remove its remains at the supplier. */
    END
}
