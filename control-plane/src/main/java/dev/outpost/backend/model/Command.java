package dev.outpost.backend.model;

/** The request to the machine's cluster once the row is committed. Each can be repeated. */
public enum Command {
    /** Make the machine of this id and epoch unless it is there. */
    ENSURE,

    /** Tell the machine of its grants. */
    BIND,

    /** End the machine, and remove what is left of it. */
    END
}
