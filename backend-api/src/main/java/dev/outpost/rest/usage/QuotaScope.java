package dev.outpost.rest.usage;

/** The machines that a limit counts. */
public enum QuotaScope {
    /** The whole organisation, set by the operator. */
    OPERATOR,

    /** The whole organisation, set by its administrators. */
    ORGANISATION,
    PROJECT
}
