package dev.outpost.provider;

import dev.outpost.channel.Trust;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The token that a machine's owner passes to its users, in one word: the secret and, after a dot, the SHA-256 of the
 * machine's certificate. Without the hash, an authority must have issued the certificate.
 *
 * @param secret the secret that opens a session; letters, digits, {@code -} and {@code _}
 * @param pin the required certificate of the machine
 */
public record ConnectionToken(String secret, Optional<Trust.Pin> pin) {
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern TOKEN = Pattern.compile("([A-Za-z0-9_-]+)(?:\\.([0-9a-fA-F]{64}))?");

    public ConnectionToken {
        if (!SECRET.matcher(secret).matches()) {
            throw malformed();
        }
    }

    /** Parses a token. The refusal of a malformed one does not repeat it, because it may be a mistyped secret. */
    public static ConnectionToken parse(String text) {
        Matcher matcher = TOKEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw malformed();
        }
        return new ConnectionToken(
                matcher.group(1), Optional.ofNullable(matcher.group(2)).map(Trust.Pin::new));
    }

    /** Returns the token as text. It contains the secret. */
    public String text() {
        return secret + pin.map(known -> "." + known.sha256()).orElse("");
    }

    @Override
    public String toString() {
        return "ConnectionToken[hidden]";
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "token: expected letters, digits, - and _, then perhaps a dot and the 64 hex digits of a SHA-256");
    }
}
