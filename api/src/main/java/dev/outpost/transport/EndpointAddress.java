package dev.outpost.transport;

import dev.outpost.channel.Trust;
import dev.outpost.provider.ConnectionToken;
import dev.outpost.provider.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses addresses of endpoints: {@code host:port}, {@code [address]:port} or {@code unix:/path}. */
public final class EndpointAddress {
    /** The environment variable that names a file with the certificates of an authority, in PEM. */
    public static final String AUTHORITY_VARIABLE = "OUTPOST_CA";

    private static final String LOCAL = "unix:";
    private static final Pattern REMOTE = Pattern.compile("(?:\\[([^\\]]+)]|([^:/\\[\\]\\s]+)):(\\d{1,5})");
    private static final int MAX_PORT = 65535;

    private EndpointAddress() {}

    /**
     * Returns the endpoint of an address and a connection token.
     *
     * @param token the token that {@code ./outpost runtime} prints; ignored for {@code unix:}
     * @param authority a file of certificates in PEM, for a token that names no certificate
     * @throws IllegalArgumentException if one of them is malformed or missing; the message names the cause. An
     *     unreachable machine is reported first, before an error of the token
     */
    public static Endpoint parse(String address, @Nullable String token, @Nullable Path authority) {
        return parse(address, token, authority, ConnectionProbe::atTheDoor);
    }

    static Endpoint parse(
            String address, @Nullable String token, @Nullable Path authority, ConnectionProbe connectionProbe) {
        if (address == null) {
            throw new IllegalArgumentException("endpoint: expected host:port or unix:/path, got null");
        }
        if (address.startsWith(LOCAL)) {
            return new Endpoint.Local(Path.of(address.substring(LOCAL.length())));
        }
        Matcher matcher = REMOTE.matcher(address.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("endpoint: expected host:port or unix:/path, got \"" + address + "\"");
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        int port = requirePort(Integer.parseInt(matcher.group(3)));
        try {
            if (token == null) {
                throw new IllegalArgumentException(
                        "token: endpoint " + address + " needs one; the machine printed it when it started");
            }
            ConnectionToken word = ConnectionToken.parse(token);
            return new Endpoint.Remote(host, port, trust(word, authority), word.secret());
        } catch (IllegalArgumentException failure) {
            connectionProbe.problem(host, port).ifPresent(problem -> {
                throw new IllegalArgumentException("endpoint: " + address + " cannot be reached: " + problem, failure);
            });
            throw failure;
        }
    }

    private static int requirePort(int port) {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port: expected 1 to " + MAX_PORT + ", got " + port);
        }
        return port;
    }

    private static Trust trust(ConnectionToken token, @Nullable Path authority) {
        if (token.pin().isPresent()) {
            return token.pin().get();
        }
        if (authority == null) {
            throw new IllegalArgumentException("token: it names no certificate, so " + AUTHORITY_VARIABLE
                    + " must name a file with the certificates of an authority to trust");
        }
        return new Trust.Authority(read(authority));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new IllegalArgumentException("authority: " + file + " cannot be read: " + failure, failure);
        }
    }
}
