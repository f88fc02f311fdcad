package dev.outpost.backend.outbound;

import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.channel.address.PublicAddresses.ForbiddenException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to addresses that tenants name. Tenants must not reach hosts that only the backend can reach. So the name is resolved
 * once, all its addresses are checked, and the connection goes to a checked address, while TLS verifies the name. Redirects are not
 * followed. Thread-safe.
 */
public final class TenantHttp implements AutoCloseable {
    /** The maximum number of calls at a time, even if all go to one host. */
    public static final int MAX_CALLS = 256;

    /** The maximum number of names that {@link #check} resolves at a time. */
    static final int MAX_CHECKS = 64;

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration RESOLVE = Duration.ofSeconds(5);
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;

    private final PublicAddresses addresses;
    private final NameResolver names;

    /** The resolver of {@link #check}. It has its own threads, so that slow names in checks do not delay calls. */
    private final NameResolver checkedNames;

    private final HttpClient client;

    /** @param addresses the addresses that may be called */
    public TenantHttp(Vertx vertx, PublicAddresses addresses) {
        this(vertx, addresses, addresses::resolve, new HttpClientOptions());
    }

    /** For tests, with another resolver and other trusted certificates. */
    TenantHttp(Vertx vertx, PublicAddresses addresses, NameResolver.Lookup lookup, HttpClientOptions options) {
        this.addresses = addresses;
        this.names = new NameResolver(lookup, MAX_CALLS);
        this.checkedNames = new NameResolver(lookup, MAX_CHECKS);
        this.client = vertx.createHttpClient(
                options.setKeepAlive(false).setConnectTimeout((int) CONNECT.toMillis()),
                new PoolOptions().setHttp1MaxSize(MAX_CALLS));
    }

    /** Thrown if an address may not be called. The message is the reason, for the tenant. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Resolves and checks an address without calling it.
     *
     * @throws TenantHttp.RefusedException if it may not be called, or was not resolved within five seconds
     */
    public void check(URI url) throws RefusedException, InterruptedException {
        try {
            checked(checkedNames, url, RESOLVE.toNanos());
        } catch (IOException failure) {
            throw new RefusedException("url: " + failure.getMessage());
        }
    }

    private PublicAddresses.Checked checked(NameResolver resolver, URI url, long nanos)
            throws RefusedException, IOException, InterruptedException {
        if (url.getHost() == null || !("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
            throw new RefusedException("url: expected an address such as https://example.org/hook");
        }
        if (url.getUserInfo() != null) {
            throw new RefusedException("url: expected one without a user");
        }
        try {
            PublicAddresses.Checked checked = resolver.resolve(url.getHost(), nanos);
            if (!"https".equals(url.getScheme()) && !addresses.isAllowedBesides(checked)) {
                throw new RefusedException("url: expected https");
            }
            return checked;
        } catch (ForbiddenException forbidden) {
            throw new RefusedException(
                    "url: " + forbidden.getMessage() + "; an operator allows it by OUTPOST_BACKEND_PRIVATE_ENDPOINTS");
        } catch (UnknownHostException unknown) {
            throw new RefusedException("url: " + url.getHost() + " is not known");
        }
    }

    /**
     * Posts a body, and does not read the body of the answer.
     *
     * @param timeout the longest time until the head of the answer, including the name's resolution and the attempts at all addresses
     * @return the status of the answer
     * @throws RefusedException if the address may not be called
     * @throws IOException if no answer came; the message says why
     */
    public int post(URI url, Map<String, String> headers, String body, Duration timeout)
            throws RefusedException, IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        PublicAddresses.Checked checked = checked(names, url, timeout.toNanos());
        IOException failure = new IOException("no connection could be made");
        for (InetAddress address : checked.addresses()) {
            try {
                return post(url, address, headers, body, deadline - System.nanoTime());
            } catch (ConnectFailure exception) {
                failure = new IOException(exception.getMessage());
            }
        }
        throw failure;
    }

    private int post(URI url, InetAddress address, Map<String, String> headers, String body, long nanos)
            throws IOException, InterruptedException {
        boolean isTls = "https".equals(url.getScheme());
        int port = url.getPort() >= 0 ? url.getPort() : isTls ? HTTPS_PORT : HTTP_PORT;
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(isTls)
                .setURI(target(url))
                .setFollowRedirects(false);
        headers.forEach(options::putHeader);
        Future<HttpClientRequest> connected = client.request(options);
        long deadline = System.nanoTime() + nanos;
        HttpClientRequest request = await(connected, nanos, true);
        try {
            return await(request.send(body).map(answer -> answer.statusCode()), deadline - System.nanoTime(), false);
        } finally {
            // The body of the answer may be endless.
            request.reset();
        }
    }

    private static String target(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    private static <T> T await(Future<T> future, long nanos, boolean isConnecting)
            throws IOException, InterruptedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(Math.max(1, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException ignored) {
            if (isConnecting) {
                future.onSuccess(made -> ((HttpClientRequest) made).reset());
            }
            throw new IOException("it did not answer in time");
        } catch (ExecutionException failure) {
            if (isConnecting) {
                throw new ConnectFailure(failure.getCause());
            }
            throw new IOException("the request failed: " + failure.getCause().getMessage(), failure.getCause());
        }
    }

    /** Thrown if no connection to one of the addresses is possible. */
    private static final class ConnectFailure extends IOException {
        private static final long serialVersionUID = 1;

        ConnectFailure(Throwable cause) {
            super(
                    cause instanceof javax.net.ssl.SSLException
                            ? "its certificate is refused: " + cause.getMessage()
                            : "no connection could be made",
                    cause);
        }
    }

    @Override
    public void close() {
        names.close();
        checkedNames.close();
        client.close();
    }
}
