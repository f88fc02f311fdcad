package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Reconciler;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.outbound.TenantHttp;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.rest.webhook.DeliveryState;
import java.io.IOException;
import java.net.URI;
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
 * Sends events to webhooks, signed according to the Standard Webhooks specification. It claims a delivery with a
 * token that expires and sends it outside of transactions, so a killed replica loses none. A receiver may get a
 * delivery twice, and recognizes it by its id.
 *
 * <p>Each organisation has its own few threads while it has deliveries, so a slow receiver delays only deliveries of
 * its own organisation. Thread-safe.
 */
public final class Webhooks implements Reconciler {
    private static final Logger LOG = Logger.getLogger(Webhooks.class);

    /** The number of tries after which a delivery is given up. The last try is about two hours after the first. */
    public static final int TRIES = 10;

    private static final Duration LOCK = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);

    /** The maximum number of concurrent deliveries of one organisation. */
    private static final int LANES = 4;

    /** The maximum number of concurrent deliveries of all organisations. */
    private static final int ALL_LANES = TenantHttp.MAX_CALLS;

    private static final int LONGEST_TEXT = 300;
    private static final Duration LANE_LIFE = Duration.ofSeconds(30);

    private final Database database;
    private final SealKeys seals;
    private final TenantHttp http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore lanes = new Semaphore(ALL_LANES);
    private final Map<String, Integer> lanesOf = new ConcurrentHashMap<>();
    private final RowWork organisations;

    /** @param http calls receivers; the caller closes it, after this */
    public Webhooks(Database database, SealKeys seals, TenantHttp http) {
        this.database = database;
        this.seals = seals;
        this.http = http;
        this.organisations = new RowWork(database, WebhookRows.LOOP);
    }

    @Override
    public String name() {
        return Wakeups.WEBHOOKS;
    }

    @Override
    public Duration period() {
        return SOON;
    }

    /** Begins to send due deliveries, and does not wait for them. */
    @Override
    public void round() {
        List<String> due = new ArrayList<>(database.transact(WebhookRows::organisationsDue));
        Collections.shuffle(due);
        for (String organisation : due) {
            for (int i = 0; i < LANES && begin(organisation); i++) {
                threads.execute(() -> drain(organisation));
            }
        }
    }

    /**
     * Reserves a thread for deliveries of an organisation. Returns false if the limit of the organisation or of all
     * is reached.
     */
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

    /**
     * Sends deliveries of an organisation, one after the other. Stops after a while, so that the thread can work for
     * a waiting organisation.
     */
    private void drain(String organisation) {
        long end = System.nanoTime() + LANE_LIFE.toNanos();
        try {
            boolean isMore = true;
            while (isMore && System.nanoTime() < end && !threads.isShutdown()) {
                isMore = organisations.attempt(
                        () -> Optional.of(organisation), () -> sendNext(organisation), pause -> false);
            }
        } catch (RuntimeException failure) {
            LOG.debug("webhooks", failure);
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

    /** Waits until no delivery is being sent. */
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
        DeliveryState state =
                failure.isEmpty() ? DeliveryState.DELIVERED : isDead ? DeliveryState.DEAD : DeliveryState.PENDING;
        Optional<Duration> again =
                state == DeliveryState.PENDING ? Optional.of(pause(delivery.tries())) : Optional.empty();
        database.run(
                sql -> WebhookRows.finish(sql, delivery.id(), token, state, again, failure.orElse("it was taken")));
    }

    private static Duration pause(int tries) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(tries - 1, 10));
    }

    private static String why(Exception failed) {
        String text = failed.getMessage() == null ? "the request failed" : failed.getMessage();
        return text.substring(0, Math.min(LONGEST_TEXT, text.length()));
    }

    /** Sends a delivery. Returns the reason if the receiver did not accept it. */
    private Optional<String> post(WebhookRows.Claimed claimed) {
        try {
            URI url = URI.create(claimed.webhook().url());
            int status = http.post(url, headers(claimed), claimed.delivery().body(), ANSWER);
            return status >= 200 && status < 300 ? Optional.empty() : Optional.of("it answered with status " + status);
        } catch (TenantHttp.RefusedException | IOException | RuntimeException failure) {
            return Optional.of(why(failure));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of("the backend was stopped");
        }
    }

    private Map<String, String> headers(WebhookRows.Claimed claimed) {
        WebhookRows.Delivery delivery = claimed.delivery();
        byte[] key = seals.open(
                WebhookRows.place(delivery.webhook()), claimed.webhook().key());
        long seconds = System.currentTimeMillis() / 1_000;
        return Map.of(
                "Content-Type",
                "application/json",
                "webhook-id",
                delivery.event().toString(),
                "webhook-timestamp",
                Long.toString(seconds),
                "webhook-signature",
                signature(key, delivery.event(), seconds, delivery.body()));
    }

    /** Returns {@code v1,} and the HMAC-SHA256 of {@code id.timestamp.body} in Base64 (Standard Webhooks 1.0). */
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

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
