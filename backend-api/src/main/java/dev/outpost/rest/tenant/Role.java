package dev.outpost.rest.tenant;

/** The role of a member. */
public enum Role {
    VIEWER,
    DEVELOPER,
    ADMIN
}
