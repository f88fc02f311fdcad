package dev.outpost.provider.fleet;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lets the holder of a token use a machine. Whoever provisions the machine knows the token's hash and never the token.
 *
 * @param tokenSha256 the SHA-256 of the token's characters (ASCII), as 64 lower-case hex digits
 * @param expires from when on the token opens nothing, by the machine's clock; never where it is empty
 */
public record Grant(String tokenSha256, Optional<Instant> expires) {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public Grant {
        if (!SHA256.matcher(tokenSha256).matches()) {
            throw new IllegalArgumentException("grant: expected the 64 lower-case hex digits of a token's SHA-256, got "
                    + tokenSha256.length() + " characters");
        }
        Objects.requireNonNull(expires, "expires");
    }

    /** Without an end. */
    public static Grant of(String tokenSha256) {
        return new Grant(tokenSha256, Optional.empty());
    }

    /** As it stands in a runtime's grants file: the hash, and perhaps until when it counts. */
    public String line() {
        return tokenSha256 + expires.map(end -> " expires=" + end).orElse("");
    }
}
