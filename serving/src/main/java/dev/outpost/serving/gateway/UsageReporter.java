package dev.outpost.serving.gateway;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.GatewaysApi;
import dev.outpost.rest.usage.TokenUseBatch;
import dev.outpost.rest.usage.TokenUseBatch.TokenUseRecord;
import dev.outpost.serving.config.ServingConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Reports the use of texts to a backend, in batches. Uses of one key and model within a minute form one record. An
 * unanswered batch is sent again unchanged with the same id, so it is counted once. A killed server loses the unsent
 * uses of some seconds. Thread-safe.
 */
@Singleton
public class UsageReporter implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(UsageReporter.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int MAX_RECORDS = 1_000;
    /**
     * The maximum number of records that wait while the backend is unreachable: more than a server's keys and models
     * make in a day.
     */
    private static final int MAX_WAITING = 100_000;

    private static final long NANOS = 1_000_000_000L;

    private final boolean isWanted;
    private final Clock clock;
    private final Function<TokenUseBatch, Receipt> backend;
    private Map<Key, Sum> sums = new LinkedHashMap<>();
    private TokenUseBatch unanswered;
    private final CountDownLatch closing = new CountDownLatch(1);
    private Thread thread;
    private boolean isClosed;
    private long dropped;

    @Inject
    UsageReporter(ServingConfig config) {
        this(config.gateway() || config.backend(), Clock.systemUTC(), new Configured());
    }

    /** @param backend sends a batch */
    UsageReporter(boolean isWanted, Clock clock, Function<TokenUseBatch, Receipt> backend) {
        this.isWanted = isWanted;
        this.clock = clock;
        this.backend = backend;
    }

    /** The outcome of a batch. */
    enum Receipt {
        TAKEN,
        /** The backend refuses the batch permanently. */
        REFUSED,
        /** It is unknown if the backend has received the batch. */
        UNANSWERED
    }

    /** The configured backend, which is looked up when the first batch is sent. */
    private static final class Configured implements Function<TokenUseBatch, Receipt> {
        private static final Set<String> REFUSALS = Set.of("invalid", "conflict", "bad-request", "not-found");

        private BackendClient client;

        @Override
        public Receipt apply(TokenUseBatch batch) {
            try {
                if (client == null) {
                    client = BackendClient.configured();
                }
                new GatewaysApi(client).count(batch);
                return Receipt.TAKEN;
            } catch (BackendException failure) {
                LOG.warnf("usage was not accepted: %s", failure.getMessage());
                return REFUSALS.contains(failure.code()) ? Receipt.REFUSED : Receipt.UNANSWERED;
            }
        }
    }

    private record Key(String keyId, String model, Instant minute) {}

    private static final class Sum {
        /** The time at which the first text of the record ended. It is the time of the whole record. */
        private final Instant first;

        private long texts;
        private long promptTokens;
        private long cachedTokens;
        private long newTokens;
        private long nanos;

        private Sum(Instant first) {
            this.first = first;
        }
    }

    /**
     * Adds the use of a text.
     *
     * @param keyId the key of its request
     * @param promptTokens the tokens of its prompt; 0 for a further text of the same prompt
     * @param cachedTokens the tokens of the prompt that had been computed before
     */
    public synchronized void record(
            String keyId, String model, int promptTokens, int cachedTokens, int newTokens, Duration time) {
        if (!isWanted || keyId.isEmpty()) {
            return;
        }
        Instant now = clock.instant();
        Key key = new Key(keyId, model, now.truncatedTo(ChronoUnit.MINUTES));
        if (!sums.containsKey(key) && sums.size() >= MAX_WAITING) {
            dropped++;
            return;
        }
        Sum sum = sums.computeIfAbsent(key, fresh -> new Sum(now));
        sum.texts++;
        sum.promptTokens += promptTokens;
        sum.cachedTokens += cachedTokens;
        sum.newTokens += newTokens;
        sum.nanos += time.toNanos();
        if (thread == null && !isClosed) {
            thread = Thread.ofPlatform().name("outpost-usage").daemon().start(this::keepSending);
        }
    }

    private void keepSending() {
        try {
            while (awaitTurn()) {
                sendAll();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitTurn() throws InterruptedException {
        return !closing.await(EVERY.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Sends all waiting batches, until the backend does not answer. */
    void sendAll() {
        for (TokenUseBatch batch = next(); batch != null; batch = next()) {
            switch (backend.apply(batch)) {
                case TAKEN -> answered();
                case REFUSED -> {
                    LOG.errorf("usage was refused, and is not counted: %s", batch);
                    answered();
                }
                case UNANSWERED -> {
                    return;
                }
            }
        }
    }

    private synchronized TokenUseBatch next() {
        if (dropped > 0) {
            LOG.errorf("%d texts were not counted: the backend did not answer for too long", dropped);
            dropped = 0;
        }
        if (unanswered == null && !sums.isEmpty()) {
            List<TokenUseRecord> records = new ArrayList<>();
            Map<Key, Sum> later = new LinkedHashMap<>();
            sums.forEach((key, sum) -> {
                if (records.size() < MAX_RECORDS) {
                    records.add(record(key, sum));
                } else {
                    later.put(key, sum);
                }
            });
            sums = later;
            unanswered = new TokenUseBatch(UUID.randomUUID(), records);
        }
        return unanswered;
    }

    private static TokenUseRecord record(Key key, Sum sum) {
        return new TokenUseRecord(
                key.keyId(),
                key.model(),
                sum.first,
                sum.texts,
                sum.promptTokens,
                sum.cachedTokens,
                sum.newTokens,
                Math.ceilDiv(sum.nanos, NANOS));
    }

    private synchronized void answered() {
        unanswered = null;
    }

    /** Sends the remaining batches. */
    @Override
    public void close() {
        Thread sending;
        synchronized (this) {
            isClosed = true;
            sending = thread;
        }
        closing.countDown();
        if (sending != null) {
            try {
                sending.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            sendAll();
        }
    }
}
