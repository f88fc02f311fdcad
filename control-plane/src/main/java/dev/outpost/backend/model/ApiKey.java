package dev.outpost.backend.model;

import dev.outpost.channel.grant.Secrets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API key: {@code op_<id>_<secret>}. The id is public and identifies the row. Only a hash of the secret is stored.
 * A secret has 256 random bits, so it cannot be guessed from its plain hash.
 */
public record ApiKey(String id, String secret) {
    /** The form of a key. Gateways use the same pattern, in {@code CallerKeys}. */
    private static final Pattern FORM = Pattern.compile("op_([a-z0-9]{10})_([A-Za-z0-9-]{40,64})");

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ID_LENGTH = 10;

    /** Draws a new random key. */
    public static ApiKey draw(SecureRandom random) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        // The secret has no underscores, because they separate the parts of a key.
        return new ApiKey(id.toString(), Secrets.draw(random).replace('_', '-'));
    }

    /** Parses a key; empty if the text does not have the form of a key. */
    public static Optional<ApiKey> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? Optional.of(new ApiKey(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    /** Returns the text of the key, which is a secret. */
    public String text() {
        return "op_" + id + "_" + secret;
    }

    public byte[] hash() {
        return Secrets.sha256(secret);
    }

    /** Compares in constant time. */
    public boolean matches(byte[] hash) {
        return MessageDigest.isEqual(hash(), hash);
    }

    @Override
    public String toString() {
        return "ApiKey[" + id + ", hidden]";
    }
}
