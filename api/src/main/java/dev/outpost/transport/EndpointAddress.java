package dev.outpost.transport;

import dev.outpost.provider.ConnectionToken;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An endpoint as people write it: {@code host:port}, {@code [address]:port} or {@code unix:/path}. */
public final class EndpointAddress {
    /** The environment variable that names a file with the certificates of an authority, in PEM. */
    public static final String AUTHORITY_VARIABLE = "OUTPOST_CA";

    private static final String LOCAL = "unix:";
    private static final Pattern REMOTE = Pattern.compile("(?:\\[([^\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");

    private EndpointAddress() {}

    /**
     * The endpoint of that address and connection token.
     *
     * @param token what {@code ./outpost runtime} prints; ignored for {@code unix:}
     * @param authority a file of certificates in PEM, for a token that names no certificate
     * @throws IllegalArgumentException when one of them is malformed or missing; the message says which
     */
    public static Endpoint parse(String address, Optional<String> token, Optional<Path> authority) {
        if (address.startsWith(LOCAL)) {
            return new Endpoint.Local(Path.of(address.substring(LOCAL.length())));
        }
        Matcher matcher = REMOTE.matcher(address.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("endpoint: expected host:port or unix:/path, got \"" + address + "\"");
        }
        ConnectionToken word = ConnectionToken.parse(token.orElseThrow(() -> new IllegalArgumentException(
                "token: endpoint " + address + " needs one; the machine printed it when it started")));
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new Endpoint.Remote(host, Integer.parseInt(matcher.group(3)), trust(word, authority), word.secret());
    }

    private static Trust trust(ConnectionToken token, Optional<Path> authority) {
        if (token.pin().isPresent()) {
            return token.pin().get();
        }
        return new Trust.Authority(
                read(authority.orElseThrow(() -> new IllegalArgumentException("token: it names no certificate, so "
                        + AUTHORITY_VARIABLE + " must name a file with the certificates of an authority to trust"))));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("authority: " + file + " cannot be read: " + unreadable, unreadable);
        }
    }
}
