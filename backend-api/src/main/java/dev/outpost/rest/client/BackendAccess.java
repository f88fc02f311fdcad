package dev.outpost.rest.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The address of a backend, and a key for it.
 *
 * @param address such as {@code https://gpu.example.org}
 * @param key {@code op_...}: a secret, never printed
 * @param authority a PEM file with the authorities that may have issued the backend's certificate; empty to trust
 *     those of the JDK
 */
public record BackendAccess(URI address, String key, Optional<Path> authority) {
    /** The variable that names the backend's address. */
    public static final String ADDRESS_VARIABLE = "OUTPOST_API";

    /** The variable that holds the key. */
    public static final String KEY_VARIABLE = "OUTPOST_API_KEY";

    /** The variable that names the file of a private authority. */
    public static final String AUTHORITY_VARIABLE = "OUTPOST_API_CA";

    /**
     * Returns the access set by the environment of this process, else the access that {@code ./outpost login} has
     * stored.
     *
     * @throws IllegalArgumentException if neither is set; the message names the remedy
     */
    public static BackendAccess configured() {
        return configured(System::getenv, LoginFile.ofUser());
    }

    static BackendAccess configured(UnaryOperator<String> environment, LoginFile login) {
        Optional<String> address = value(environment, ADDRESS_VARIABLE);
        Optional<String> key = value(environment, KEY_VARIABLE);
        Optional<Path> authority = value(environment, AUTHORITY_VARIABLE).map(Path::of);
        if (address.isPresent() && key.isPresent()) {
            return of(address.get(), key.get()).withAuthority(authority.orElse(null));
        }
        if (address.isPresent() || key.isPresent()) {
            throw new IllegalArgumentException(ADDRESS_VARIABLE + " and " + KEY_VARIABLE
                    + " belong together, and only one of them is set: set both, or neither after ./outpost login");
        }
        return login.read()
                .map(kept -> authority.map(kept::withAuthority).orElse(kept))
                .orElseThrow(() -> new IllegalArgumentException("outpost: which backend? Set " + ADDRESS_VARIABLE
                        + " and " + KEY_VARIABLE + ", or run ./outpost login"));
    }

    /**
     * Parses an address and a key that a person has written.
     *
     * @throws IllegalArgumentException if the address or the key is malformed, or if the key would be sent
     *     unencrypted
     */
    public static BackendAccess of(String address, String key) {
        URI bare = uri(address.strip().replaceAll("/+$", ""));
        requireSafe(bare);
        if (!key.strip().matches("[A-Za-z0-9_-]{20,200}")) {
            throw new IllegalArgumentException(
                    KEY_VARIABLE + ": expected a key as the backend shows it, op_..., got something else");
        }
        return new BackendAccess(bare, key.strip(), Optional.empty());
    }

    private static URI uri(String address) {
        try {
            return URI.create(address);
        } catch (IllegalArgumentException ignored) {
            throw new IllegalArgumentException(ADDRESS_VARIABLE
                    + ": expected an address such as https://gpu.example.org, got \"" + address + "\"");
        }
    }

    /**
     * Returns a copy that trusts a private authority.
     *
     * @param file null to trust the authorities of the JDK
     */
    public BackendAccess withAuthority(@Nullable Path file) {
        if (file != null && "http".equals(address.getScheme())) {
            throw new IllegalArgumentException(
                    AUTHORITY_VARIABLE + ": " + address + " has no certificate; leave it out, or use https");
        }
        return new BackendAccess(address, key, Optional.ofNullable(file).map(Path::toAbsolutePath));
    }

    private static Optional<String> value(UnaryOperator<String> environment, String name) {
        return Optional.ofNullable(environment.apply(name)).filter(value -> !value.isBlank());
    }

    /** Refuses addresses to which the key would be sent unencrypted, except addresses of this host. */
    private static void requireSafe(URI address) {
        boolean isHttp = "http".equals(address.getScheme());
        if (address.getHost() == null || !(isHttp || "https".equals(address.getScheme()))) {
            throw new IllegalArgumentException(ADDRESS_VARIABLE
                    + ": expected an address such as https://gpu.example.org, got \"" + address + "\"");
        }
        if (isHttp && !isLoopback(address.getHost())) {
            throw new IllegalArgumentException(
                    ADDRESS_VARIABLE + ": " + address + " would carry the key in clear over the network; use https");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException ignored) {
            return false;
        }
    }

    /** Stores the access for later processes of this user. */
    public void login() throws IOException {
        LoginFile.ofUser().write(this);
    }

    @Override
    public String toString() {
        return "BackendAccess[" + address + ", hidden]";
    }
}
