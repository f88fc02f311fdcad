package dev.outpost.rest.tenant;

/** The rights of a key. */
public enum KeyScope {
    /** The key may read everything of the organisation, or of the key's project. */
    READ,

    /** The key may start, change and end machines. */
    MACHINES,

    /** The key may change projects, members, keys and quotas of the organisation. */
    ADMIN,

    /** The key may change the things that all organisations share: organisations, clusters and prices. */
    OPERATOR
}
