package dev.outpost.backend.model;

/** A call to the machine's cluster, made once the row is committed. Every call can be repeated. */
public enum Command {
    /** Make the machine with this id and epoch unless it exists. */
    ENSURE,

    /** Send the machine its grants. */
    BIND,

    /** End the machine, and remove its remains at the supplier. */
    END
}
