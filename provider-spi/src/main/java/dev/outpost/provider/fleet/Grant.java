package dev.outpost.provider.fleet;

import dev.outpost.channel.grant.GrantTerms;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The right of a token's holder to use a machine. The code that provisions the machine gets only the token's hash,
 * never the token.
 *
 * @param tokenSha256 the SHA-256 of the token's characters (ASCII), as 64 lower-case hex digits
 * @param terms the terms of the holder's access
 */
public record Grant(String tokenSha256, GrantTerms terms) {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public Grant {
        if (!SHA256.matcher(tokenSha256).matches()) {
            throw new IllegalArgumentException("grant: expected the 64 lower-case hex digits of a token's SHA-256, got "
                    + tokenSha256.length() + " characters");
        }
        Objects.requireNonNull(terms, "terms");
    }

    /** Makes a grant of all rights that never expires. */
    public static Grant of(String tokenSha256) {
        return new Grant(tokenSha256, GrantTerms.ALL);
    }

    /**
     * Parses the result of {@link #line}.
     *
     * @throws IllegalArgumentException if the line is malformed
     */
    public static Grant parse(String line) {
        String[] parts = line.strip().split(" ", 2);
        return new Grant(parts[0], parts.length < 2 ? GrantTerms.ALL : GrantTerms.parse(parts[1]));
    }

    /** Returns the line of a runtime's grants file: the hash, and the terms that differ from {@link GrantTerms#ALL}. */
    public String line() {
        return (tokenSha256 + " " + terms.text()).strip();
    }
}
