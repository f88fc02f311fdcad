package dev.outpost.runtime.sources.hub;

import dev.outpost.channel.Backoff;
import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.channel.http.HttpBodies;
import dev.outpost.channel.http.Pace;
import dev.outpost.channel.http.TooLongException;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a hub. Follows redirects to large files if the host belongs to the hub or is an allowed source of
 * the machine. Only the hub itself receives the token. Repeats requests that failed for a transient reason.
 */
final class HubClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(20);
    /** The environment variable of Hugging Face's client for the number of seconds for which a download may stall. */
    private static final String STALL_VARIABLE = "HF_HUB_DOWNLOAD_TIMEOUT";

    /** The number of attempts after which a stall fails the request. */
    private static final int ATTEMPTS_THAT_STALL = 2;

    private static final int MAX_REDIRECTS = 5;
    /** The maximum number of bytes of an error answer that are read. */
    private static final long MAX_OF_A_REFUSAL = 1 << 20;

    private static final int ATTEMPTS = 5;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(400), LONGEST_PAUSE);

    private final HubEndpoint endpoint;
    private final SourceSettings settings;
    private final Pace pace;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    HubClient(HubEndpoint endpoint, SourceSettings settings) {
        this.endpoint = endpoint;
        this.settings = settings;
        this.pace = pace();
    }

    private static Pace pace() {
        String seconds = System.getProperty("hf.downloadTimeout", System.getenv(STALL_VARIABLE));
        if (seconds == null || seconds.isBlank()) {
            return Pace.DATA;
        }
        if (!seconds.strip().matches("[1-9]\\d{0,5}")) {
            throw new OutpostException(
                    FaultKind.USER, STALL_VARIABLE + ": expected a number of seconds above 0, got " + seconds);
        }
        return Pace.DATA.within(Duration.ofSeconds(Long.parseLong(seconds.strip())));
    }

    URI at(String path) {
        return URI.create(endpoint.base() + path);
    }

    /**
     * Sends a GET request, and follows allowed redirects.
     *
     * @param what the text at the beginning of error messages
     * @param range the range of bytes, or null
     * @param max the maximum number of bytes of the answer
     * @throws IOException if the status is not a success; the message has the status
     */
    HttpResponse<byte[]> get(String what, URI uri, @Nullable String range, long max) throws IOException {
        Backoff.Pauses pauses = BACKOFF.begin();
        for (int attempt = 1, stalls = 0; ; attempt++) {
            IOException problem;
            Duration pause = pauses.next().orElseThrow();
            try {
                HttpResponse<byte[]> answer = follow(what, uri, range, max);
                int status = answer.statusCode();
                if (status == 200 || status == 206) {
                    return answer;
                }
                problem = new IOException(what + ": " + meaning(status) + times(attempt));
                if (status != 429 && status < 500) {
                    throw new HubRefusal(problem.getMessage());
                }
                pause = answer.headers()
                        .firstValue("Retry-After")
                        .flatMap(HubClient::seconds)
                        .orElse(pause);
            } catch (HubRefusal refusal) {
                throw refusal;
            } catch (HttpTimeoutException failure) {
                problem = new IOException(what + ": " + endpoint + ": " + failure.getMessage() + times(attempt) + "; "
                        + STALL_VARIABLE + " sets the timeout in seconds");
                if (++stalls == ATTEMPTS_THAT_STALL) {
                    throw problem;
                }
            } catch (TooLongException failure) {
                throw new HubRefusal(what + ": " + endpoint + ": " + failure.getMessage()
                        + ", so the hub or a proxy before it ignores the range");
            } catch (IOException failure) {
                problem = new IOException(what + ": " + endpoint + " cannot be reached: "
                        + failure.getClass().getSimpleName() + times(attempt));
            }
            if (attempt == ATTEMPTS) {
                throw problem;
            }
            sleep(pause);
        }
    }

    private HttpResponse<byte[]> follow(String what, URI uri, @Nullable String range, long max) throws IOException {
        URI next = uri;
        for (int hops = 0; hops <= MAX_REDIRECTS; hops++) {
            HttpResponse<byte[]> answer = once(next, range, max);
            if (answer.statusCode() / 100 != 3 || answer.statusCode() == 304) {
                return answer;
            }
            String location = answer.headers()
                    .firstValue("Location")
                    .orElseThrow(() -> new HubRefusal(what + ": the hub redirects without a location"));
            next = next.resolve(location);
            requireTrusted(what, next);
        }
        throw new HubRefusal(what + ": the hub redirects more than " + MAX_REDIRECTS + " times");
    }

    /**
     * Fails if the hub may not redirect to a URL. The message contains only the host, because the URL contains a
     * signature.
     */
    private void requireTrusted(String what, URI uri) throws HubRefusal {
        if (!HubEndpoint.isWeb(uri) || uri.getHost() == null) {
            throw new HubRefusal(what + ": the hub redirects to a URL that is neither http nor https");
        }
        if (endpoint.owns(uri)) {
            return;
        }
        String host = uri.getScheme() + "://" + uri.getAuthority();
        try {
            settings.require(host);
        } catch (OutpostException ignored) {
            if (endpoint.trusts(uri)) {
                requirePublic(what, uri);
                return;
            }
            throw new HubRefusal(
                    what + ": the hub redirects to " + host + ", which the machine may not open; name it in"
                            + " its setting of sources (OUTPOST_RUNTIME_SOURCES)");
        }
    }

    /** Fails if a host that no setting names has an address that is not public. */
    private static void requirePublic(String what, URI uri) throws HubRefusal {
        try {
            PublicAddresses.ONLY.resolve(uri.getHost());
        } catch (UnknownHostException unknown) {
            throw new HubRefusal(what + ": the hub redirects to " + uri.getHost() + ", which is not known");
        } catch (PublicAddresses.ForbiddenException forbidden) {
            throw new HubRefusal(what + ": the hub redirects, and " + forbidden.getMessage()
                    + "; name it in the machine's" + " setting of sources (OUTPOST_RUNTIME_SOURCES) to allow it");
        }
    }

    private HttpResponse<byte[]> once(URI uri, @Nullable String range, long max) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(pace.time().multipliedBy(2)).header("User-Agent", "outpost");
        if (range != null) {
            request.header("Range", range);
        }
        if (endpoint.owns(uri)) {
            endpoint.token().get().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        }
        try {
            return HttpBodies.send(
                    client,
                    request.build(),
                    HttpResponse.BodyHandlers.ofByteArray(),
                    pace,
                    Math.max(max, MAX_OF_A_REFUSAL));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HubRefusal("interrupted");
        }
    }

    private String meaning(int status) {
        return switch (status) {
            case 401, 403 ->
                "the hub answers " + status + ": the repository is private, gated or not there"
                        + (endpoint.token().get().isPresent()
                                ? ", or the token gives no access to it"
                                : "; HF_TOKEN is not set");
            case 404 -> "the hub answers 404: there is no such repository, revision or file";
            case 429 -> "the hub answers 429: too many requests";
            default -> "the hub answers " + status;
        };
    }

    private static String times(int attempt) {
        return attempt == 1 ? "" : ", asked " + attempt + " times";
    }

    /**
     * Reads the pause in seconds from a Retry-After header, limited to the longest pause. Returns empty if the header
     * has a date.
     */
    private static Optional<Duration> seconds(String header) {
        try {
            return Optional.of(
                    Duration.ofSeconds(Math.clamp(Long.parseLong(header.strip()), 0, LONGEST_PAUSE.toSeconds())));
        } catch (NumberFormatException ignored) {
            return Optional.empty();
        }
    }

    private void sleep(Duration pause) throws IOException {
        try {
            if (closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new HubRefusal("closed");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** Thrown if the hub refuses a request that is not sent again. */
    private static final class HubRefusal extends IOException {
        HubRefusal(String message) {
            super(message);
        }
    }

    @Override
    public void close() {
        // Running requests fail at once. Requests that wait for their next attempt fail, too.
        closed.countDown();
        client.shutdownNow();
    }
}
