package dev.outpost.backend.fleet;

import dev.outpost.backend.outbound.TenantHttp;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.WebhookRows.State;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Sends events to webhooks, signed as the Standard Webhooks specification says. A delivery is taken by a token that expires and sent
 * outside of transactions, so a replica that is killed loses none; a receiver may get one twice, and tells by its id.
 */
public final class Webhooks implements AutoCloseable {
    /** Tries before a delivery is given up. The last one comes some two hours after the first. */
    public static final int TRIES = 10;

    private static final Duration LOCK = Duration.ofSeconds(60);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);
    private static final int BATCH = 16;
    private static final int LONGEST_TEXT = 300;

    private final Database database;
    private final SealKeys seals;
    private final TenantHttp http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** @param http what calls receivers */
    public Webhooks(Database database, SealKeys seals, TenantHttp http) {
        this.database = database;
        this.seals = seals;
        this.http = http;
    }

    /** Sends what is due. A receiver that is slow holds up the others of its batch for as long as an answer may take. */
    public void round() {
        boolean isMore = true;
        while (isMore) {
            UUID token = UUID.randomUUID();
            List<WebhookRows.Claimed> batch = database.transact(sql -> WebhookRows.claim(sql, token, LOCK, BATCH));
            List<Future<?>> sent = batch.stream()
                    .<Future<?>>map(claimed -> threads.submit(() -> send(claimed, token)))
                    .toList();
            sent.forEach(Webhooks::await);
            isMore = batch.size() == BATCH;
        }
    }

    private static void await(Future<?> sent) {
        try {
            sent.get();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException failed) {
            // It is due again when its lock has expired.
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
        String text = failed.getMessage() == null ? "the request failed" : failed.getMessage();
        return text.substring(0, Math.min(LONGEST_TEXT, text.length()));
    }

    /** Why it was not taken. */
    private Optional<String> post(WebhookRows.Claimed claimed) {
        try {
            URI url = URI.create(claimed.webhook().url());
            int status = http.post(url, headers(claimed), claimed.delivery().body(), ANSWER);
            return status >= 200 && status < 300 ? Optional.empty() : Optional.of("it answered with status " + status);
        } catch (TenantHttp.RefusedException | IOException | RuntimeException failed) {
            return Optional.of(why(failed));
        } catch (InterruptedException stopped) {
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

    @Override
    public void close() {
        threads.shutdownNow();
        http.close();
    }
}
