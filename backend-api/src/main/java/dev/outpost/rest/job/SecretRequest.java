package dev.outpost.rest.job;

import org.jspecify.annotations.Nullable;

/**
 * The new value of a secret.
 *
 * @param project the project of the secret; the key's by default
 */
public record SecretRequest(@Nullable String project, String value) {
    @Override
    public String toString() {
        return "SecretRequest[" + project + ", hidden]";
    }
}
