package dev.outpost.rest.client;

import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The connections to a backend: a client with its pool, which is replaced once it has not answered a request. The connections that
 * a pool keeps lead to the replicas that they were made to. Thread-safe.
 */
final class HttpConnections {
    /** The longest time for making a connection. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    private final @Nullable SSLContext trust;
    private volatile HttpClient current;

    /** @param trust null for that of the JDK */
    HttpConnections(@Nullable SSLContext trust) {
        this.trust = trust;
        this.current = open();
    }

    HttpClient current() {
        return current;
    }

    /**
     * Makes requests from now on use new connections. Requests of the retired client that have started go on; it ends when the collector
     * finds it.
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
