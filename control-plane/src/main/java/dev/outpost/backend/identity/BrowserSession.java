package dev.outpost.backend.identity;

import dev.outpost.channel.grant.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;

/** The session of a browser. Its secret is in a cookie; the database stores only the hash of the secret. */
public record BrowserSession(String secret) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");

    /** Draws a new random session. */
    public static BrowserSession draw(SecureRandom random) {
        return new BrowserSession(Secrets.draw(random));
    }

    /** Parses the value of a cookie; empty if it does not have the form of a session. */
    public static Optional<BrowserSession> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new BrowserSession(text)) : Optional.empty();
    }

    public byte[] hash() {
        return Secrets.sha256(secret);
    }

    /** Returns the token that the page sends in a header of each request that changes state. */
    public String csrfToken() {
        return Secrets.derive(secret, "csrf");
    }

    /** Compares in constant time. */
    public boolean hasToken(String token) {
        return MessageDigest.isEqual(
                csrfToken().getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "BrowserSession[hidden]";
    }
}
