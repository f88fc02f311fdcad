package dev.outpost.provider;

import dev.outpost.channel.Trust;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one word that a machine's owner hands to its users: the secret and, after a dot, the SHA-256 of the machine's
 * certificate. Without the latter the certificate must be vouched for by an authority.
 *
 * @param secret what the machine wants to hear; letters, digits, {@code -} and {@code _}
 * @param pin what the machine's certificate must be
 */
public record ConnectionToken(String secret, Optional<Trust.Pin> pin) {
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern TOKEN = Pattern.compile("([A-Za-z0-9_-]+)(?:\\.([0-9a-fA-F]{64}))?");

    public ConnectionToken {
        if (!SECRET.matcher(secret).matches()) {
            throw malformed();
        }
    }

    /** Reads a token; a malformed one is refused without being repeated, since it may be a mistyped secret. */
    public static ConnectionToken parse(String text) {
        Matcher matcher = TOKEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw malformed();
        }
        return new ConnectionToken(
                matcher.group(1), Optional.ofNullable(matcher.group(2)).map(Trust.Pin::new));
    }

    /** The word itself: a secret. */
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
