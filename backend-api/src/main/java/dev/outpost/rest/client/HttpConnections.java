package dev.outpost.rest.client;

import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of a backend, with its pool of connections. The client is replaced after a request without an
 * answer, because its connections would lead to the silent replica again. Thread-safe.
 */
final class HttpConnections {
    /** The longest time for making a connection. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    private final @Nullable SSLContext trust;
    private volatile HttpClient current;

    /** @param trust null to trust the authorities of the JDK */
    HttpConnections(@Nullable SSLContext trust) {
        this.trust = trust;
        this.current = open();
    }

    HttpClient current() {
        return current;
    }

    /**
     * Makes later requests use new connections. Running requests of the retired client continue; the garbage
     * collector closes it.
     */
    synchronized void retire(HttpClient silent) {
        if (current == silent) {
            current = open();
        }
    }

    private HttpClient open() {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if (trust != null) {
            builder.sslContext(trust);
        }
        return builder.build();
    }
}
