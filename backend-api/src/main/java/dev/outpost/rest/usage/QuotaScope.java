package dev.outpost.rest.usage;

/** The machines that a quota covers. */
public enum QuotaScope {
    /** All machines of the organisation; set by the operator. */
    OPERATOR,

    /** All machines of the organisation; set by its administrators. */
    ORGANISATION,

    /** The machines of a project. */
    PROJECT
}
