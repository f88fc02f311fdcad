package dev.outpost.rest.machine;

import dev.outpost.channel.grant.GrantTerms;

/** The purpose of a grant. */
public enum GrantRole {
    /** The token opens sessions. */
    USE(GrantTerms.Role.USE),

    /** The token reads the state of sessions and counters, and opens no session. */
    OBSERVE(GrantTerms.Role.OBSERVE);

    private final GrantTerms.Role role;

    GrantRole(GrantTerms.Role role) {
        this.role = role;
    }

    public GrantTerms.Role role() {
        return role;
    }

    public static GrantRole of(GrantTerms.Role role) {
        return role == GrantTerms.Role.OBSERVE ? OBSERVE : USE;
    }
}
