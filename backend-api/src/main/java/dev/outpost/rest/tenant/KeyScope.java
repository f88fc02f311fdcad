package dev.outpost.rest.tenant;

/** The rights of a key. */
public enum KeyScope {
    /** Reads everything of the organisation, or of the key's project. */
    READ,

    /** Starts, changes and ends machines. */
    MACHINES,

    /** Changes projects, members, keys and quotas of the organisation. */
    ADMIN,

    /** Changes what all organisations share: organisations, clusters, prices. */
    OPERATOR
}
