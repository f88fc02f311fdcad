package dev.outpost.backend.identity;

import java.util.List;

/**
 * A person, as described by an issuer.
 *
 * @param subject the unique name, such as {@code oidc:248289761001}
 * @param name the name to show
 */
public record Person(String subject, String name, List<String> groups) {
    public Person {
        groups = List.copyOf(groups);
    }
}
