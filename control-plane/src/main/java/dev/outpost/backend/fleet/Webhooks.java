package dev.outpost.backend.fleet;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.WebhookRows.State;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/**
 * Sends events to webhooks, signed as the Standard Webhooks specification says. A delivery is taken by a token that expires and sent
 * outside of transactions, so a replica that is killed loses none; a receiver may get one twice, and tells by its id.
 *
 * <p>Each organisation has a few threads of its own for as long as it has deliveries, so a receiver that is slow holds up deliveries of
 * its own organisation alone. Safe for use by many threads.
 */
public final class Webhooks implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Webhooks.class);

    /** Tries before a delivery is given up. The last one comes some two hours after the first. */
    public static final int TRIES = 10;

    private static final Duration LOCK = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);

    /** Deliveries of one organisation at a time. */
    private static final int LANES = 4;

    /** Deliveries of all organisations at a time. */
    private static final int ALL_LANES = 256;

    private static final int LONGEST_TEXT = 300;
    private static final Duration LANE_LIFE = Duration.ofSeconds(30);

    private final Database database;
    private final SealKeys seals;
    private final boolean isPrivateAllowed;
    private final HttpClient http = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore lanes = new Semaphore(ALL_LANES);
    private final Map<String, Integer> lanesOf = new ConcurrentHashMap<>();
    private final RowWork organisations;

    /** @param isPrivateAllowed whether webhooks may be addresses that the internet does not reach, and plain HTTP */
    public Webhooks(Database database, SealKeys seals, boolean isPrivateAllowed) {
        this.database = database;
        this.seals = seals;
        this.isPrivateAllowed = isPrivateAllowed;
        this.organisations = new RowWork(database, WebhookRows.LOOP);
    }

    /** Begins to send what is due, and does not wait for it. */
    public void round() {
        List<String> due = new ArrayList<>(database.transact(WebhookRows::organisationsDue));
        Collections.shuffle(due);
        for (String organisation : due) {
            for (int i = 0; i < LANES && begin(organisation); i++) {
                threads.execute(() -> drain(organisation));
            }
        }
    }

    /** True if the organisation may send one more delivery at a time. */
    private boolean begin(String organisation) {
        if (!lanes.tryAcquire()) {
            return false;
        }
        AtomicBoolean isTaken = new AtomicBoolean();
        lanesOf.compute(organisation, (name, count) -> {
            int known = count == null ? 0 : count;
            isTaken.set(known < LANES);
            return isTaken.get() ? known + 1 : count;
        });
        if (!isTaken.get()) {
            lanes.release();
        }
        return isTaken.get();
    }

    /** Sends deliveries of an organisation, one after the other. Others that wait for a lane get this one after a while. */
    private void drain(String organisation) {
        long end = System.nanoTime() + LANE_LIFE.toNanos();
        try {
            boolean isMore = true;
            while (isMore && System.nanoTime() < end && !threads.isShutdown()) {
                isMore = organisations.attempt(
                        () -> Optional.of(organisation), () -> sendNext(organisation), pause -> false);
            }
        } catch (RuntimeException away) {
            LOG.debug("webhooks", away);
        } finally {
            lanesOf.computeIfPresent(organisation, (name, count) -> count == 1 ? null : count - 1);
            lanes.release();
            synchronized (lanes) {
                lanes.notifyAll();
            }
        }
    }

    private boolean sendNext(String organisation) {
        UUID token = UUID.randomUUID();
        Optional<WebhookRows.Claimed> next =
                database.transact(sql -> WebhookRows.claim(sql, token, LOCK, organisation));
        next.ifPresent(claimed -> send(claimed, token));
        return next.isPresent();
    }

    /** Waits until nothing is sent. */
    void awaitIdle() throws InterruptedException {
        synchronized (lanes) {
            while (lanes.availablePermits() < ALL_LANES) {
                lanes.wait();
            }
        }
    }

    private void send(WebhookRows.Claimed claimed, UUID token) {
        Optional<String> failure = post(claimed);
        WebhookRows.Delivery delivery = claimed.delivery();
        boolean isDead = delivery.tries() >= TRIES;
        State state = failure.isEmpty() ? State.DELIVERED : isDead ? State.DEAD : State.PENDING;
        Optional<Duration> again = state == State.PENDING ? Optional.of(pause(delivery.tries())) : Optional.empty();
        database.run(
                sql -> WebhookRows.finish(sql, delivery.id(), token, state, again, failure.orElse("it was taken")));
    }

    private static Duration pause(int tries) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(tries - 1, 10));
    }

    private static String why(Exception failed) {
        String text = switch (failed) {
            case HttpTimeoutException late -> "it did not answer in time";
            case ConnectException none -> "no connection could be made";
            default -> failed.getMessage() == null ? "the request failed" : failed.getMessage();
        };
        return text.substring(0, Math.min(LONGEST_TEXT, text.length()));
    }

    /** Why it was not taken. */
    private Optional<String> post(WebhookRows.Claimed claimed) {
        try {
            URI url = URI.create(claimed.webhook().url());
            Optional<String> refused = refusal(url, isPrivateAllowed);
            if (refused.isPresent()) {
                return refused;
            }
            int status = status(request(url, claimed));
            return status >= 200 && status < 300 ? Optional.empty() : Optional.of("it answered with status " + status);
        } catch (IOException | RuntimeException failed) {
            return Optional.of(why(failed));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.of("the backend was stopped");
        }
    }

    /** Reads no byte of the body, which may have no end: closing it ends the connection. */
    private int status(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    private HttpRequest request(URI url, WebhookRows.Claimed claimed) {
        WebhookRows.Delivery delivery = claimed.delivery();
        byte[] key = seals.open(
                WebhookRows.place(delivery.webhook()), claimed.webhook().key());
        long seconds = System.currentTimeMillis() / 1_000;
        return HttpRequest.newBuilder(url)
                .timeout(ANSWER)
                .header("Content-Type", "application/json")
                .header("webhook-id", delivery.event().toString())
                .header("webhook-timestamp", Long.toString(seconds))
                .header("webhook-signature", signature(key, delivery.event(), seconds, delivery.body()))
                .POST(HttpRequest.BodyPublishers.ofString(delivery.body()))
                .build();
    }

    /** {@code v1,} and the HMAC-SHA256 of {@code id.timestamp.body} in Base64 (Standard Webhooks 1.0). */
    public static String signature(byte[] key, UUID event, long seconds, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] signed = mac.doFinal((event + "." + seconds + "." + body).getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(signed);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Why nothing is sent there: a tenant must not reach what only the backend can. */
    public static Optional<String> refusal(URI url, boolean isPrivateAllowed) {
        if (url.getHost() == null || !("https".equals(url.getScheme()) || "http".equals(url.getScheme()))) {
            return Optional.of("url: expected an address such as https://example.org/hook");
        }
        if (url.getUserInfo() != null) {
            return Optional.of("url: expected one without a user");
        }
        if (isPrivateAllowed) {
            return Optional.empty();
        }
        if (!"https".equals(url.getScheme())) {
            return Optional.of("url: expected https");
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
                if (isPrivate(address)) {
                    return Optional.of(
                            "url: " + url.getHost()
                                    + " is no address of the internet; an operator allows such by OUTPOST_BACKEND_PRIVATE_WEBHOOKS");
                }
            }
            return Optional.empty();
        } catch (UnknownHostException unknown) {
            return Optional.of("url: " + url.getHost() + " is not known");
        }
    }

    private static boolean isPrivate(InetAddress address) {
        boolean isUniqueLocal = address.getAddress().length == 16 && (address.getAddress()[0] & 0xfe) == 0xfc;
        boolean isSharedSpace = address.getAddress().length == 4
                && address.getAddress()[0] == 100
                && (address.getAddress()[1] & 0xc0) == 64;
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()
                || isUniqueLocal
                || isSharedSpace;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        http.shutdownNow();
    }
}
