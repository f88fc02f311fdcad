package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import java.util.Objects;

/**
 * Access to a machine for another person.
 *
 * @param id the SHA-256 of the token, in hex: identifies the access when it is revoked
 * @param endpoint the machine's address, and the token, which is this person's secret
 * @param terms the terms of its holder's access
 */
public record SharedAccess(String id, Endpoint.Remote endpoint, GrantTerms terms) {
    public SharedAccess {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(terms, "terms");
    }
}
