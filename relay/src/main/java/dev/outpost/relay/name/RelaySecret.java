package dev.outpost.relay.name;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The secret that the backend and its relays share: 32 bytes, written as 43 letters, digits, dashes and underscores.
 */
public final class RelaySecret {
    private static final int BYTES = 32;

    private final byte[] bytes;

    private RelaySecret(byte[] bytes) {
        this.bytes = bytes;
    }

    public static RelaySecret draw(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new RelaySecret(bytes);
    }

    /** @throws IllegalArgumentException if the text is not a secret; the message does not repeat it */
    public static RelaySecret parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text.strip());
            if (bytes.length == BYTES) {
                return new RelaySecret(bytes);
            }
        } catch (IllegalArgumentException ignored) {
            // The exception below reports the error, without the text.
        }
        throw new IllegalArgumentException("relay secret: expected 43 characters as ./outpost relay --new-secret prints"
                + " them, got " + text.strip().length() + " others");
    }

    /** Parses several secrets, separated by commas: the first one signs, and signatures by any of them are accepted. */
    public static List<RelaySecret> parseAll(String text) {
        return Stream.of(text.split(",")).map(RelaySecret::parse).toList();
    }

    /** Returns the secret as text, to store it. Do not log it. */
    public String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RelaySecret secret && Arrays.equals(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "RelaySecret[hidden]";
    }
}
