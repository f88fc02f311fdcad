package dev.outpost.serving.gateway;

import dev.outpost.channel.grant.Secrets;
import dev.outpost.provider.support.AddressGuard;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.GatewaysApi;
import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.rest.deployment.ShownKey;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.UnavailableException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the keys of requests: the backend returns the owner of each key. An answer holds for 30 s, and for ten
 * minutes while the backend does not answer, so that running clients can continue. Each unknown key costs a request
 * by the gateway's own key, whose request rate the backend limits. So unknown keys are limited for each address and
 * for all addresses together. Thread-safe.
 */
@ApplicationScoped
public class CallerKeys {
    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final Duration WITHOUT_BACKEND = Duration.ofMinutes(10);
    /** The longest time that the backend may take to identify a key. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** The time for which the backend is not asked again about a key after it did not answer. */
    private static final Duration AWAY = Duration.ofSeconds(5);

    private static final int MAX = 10_000;

    /** The number of unknown keys that an address may show at once. */
    private static final int BURST = 20;

    private static final double PER_SECOND = 0.5;

    /** The number of unknown keys that all addresses together may show at once. */
    private static final int BURST_OF_ALL = 200;

    private static final double PER_SECOND_OF_ALL = 20;

    /** The form of keys, the same as in the backend's {@code ApiKey}. The backend is not asked about other texts. */
    private static final Pattern FORM = Pattern.compile("op_[a-z0-9]{10}_[A-Za-z0-9-]{40,64}");

    /** The valid keys. Stored separately from refused keys, so that refused keys never evict valid ones. */
    private final Map<String, Known> good = leastRecentlyUsed();

    private final Map<String, Known> refused = leastRecentlyUsed();

    /** The running checks of keys, by the hashes of the keys. */
    private final Map<String, Object> asking = new ConcurrentHashMap<>();

    private final AddressGuard unknown;

    private static Map<String, Known> leastRecentlyUsed() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                return size() > MAX;
            }
        };
    }

    private final boolean isAsked;
    private final LongSupplier nanos;
    private final Function<String, Optional<AdmittedKey>> backend;
    private volatile long failed;

    @Inject
    CallerKeys(ServingConfig config) {
        this(config.gateway() || config.backend(), System::nanoTime, new Configured());
    }

    /**
     * For tests.
     *
     * @param nanos a monotonic clock
     * @param backend returns the owner of a key, if the gateway serves it, or throws an {@link UnavailableException}
     */
    CallerKeys(boolean isAsked, LongSupplier nanos, Function<String, Optional<AdmittedKey>> backend) {
        this.isAsked = isAsked;
        this.nanos = nanos;
        this.backend = backend;
        this.failed = nanos.getAsLong() - AWAY.toNanos();
        this.unknown = new AddressGuard(PER_SECOND, BURST, PER_SECOND_OF_ALL, BURST_OF_ALL, nanos);
    }

    /** The backend that the environment configures. The environment is read when the first key is checked. */
    private static final class Configured implements Function<String, Optional<AdmittedKey>> {
        private BackendClient client;

        @Override
        public Optional<AdmittedKey> apply(String secret) {
            try {
                return Optional.of(new GatewaysApi(client()).admit(new ShownKey(secret)));
            } catch (BackendException failure) {
                if (failure.code().equals("not-found")) {
                    return Optional.empty();
                }
                throw new UnavailableException("the backend cannot identify this key now", AWAY);
            }
        }

        private synchronized BackendClient client() {
            if (client == null) {
                client = BackendClient.configured().within(ANSWER);
            }
            return client;
        }
    }

    /** True if callers are identified by keys of a backend. */
    public boolean isAsked() {
        return isAsked;
    }

    /**
     * The owner of a key.
     *
     * @param id the id of the key
     * @param project the project of the key; empty for a key of all projects
     * @param billed the project that is billed
     * @param tokensLeft the number of tokens that its texts may still use; empty if no such quota is set
     */
    public record CallerKey(String id, Optional<String> project, String billed, OptionalLong tokensLeft) {}

    /** Thrown if a key is not checked because too many unknown keys were shown. */
    public static final class TooManyUnknownException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final Duration delay;

        TooManyUnknownException(AddressGuard.Refusal refusal) {
            super(
                    refusal.isOfAll()
                            ? "too many unknown API keys were shown"
                            : "too many unknown API keys came from this address");
            this.delay = refusal.delay();
        }

        /** Returns the time after which a retry may succeed. */
        public Duration delay() {
            return delay;
        }
    }

    private record Known(Optional<CallerKey> key, long at) {}

    private boolean isYounger(Known known, Duration age) {
        return nanos.getAsLong() - known.at() < age.toNanos();
    }

    /**
     * Returns the owner of a key; empty if the gateway does not serve it.
     *
     * @param address the address of the client
     * @throws TooManyUnknownException if the address has shown too many unknown keys
     */
    public Optional<CallerKey> find(String secret, String address) {
        if (!FORM.matcher(secret).matches()) {
            return Optional.empty();
        }
        String hash = Secrets.sha256Hex(secret);
        Known before = known(hash);
        if (isFresh(before)) {
            return before.key();
        }
        long failedBefore = failed;
        Object turn = asking.computeIfAbsent(hash, first -> new Object());
        // Many callers may have the same key; only one of them asks the backend.
        synchronized (turn) {
            try {
                return findInTurn(secret, hash, address, failedBefore);
            } finally {
                asking.remove(hash, turn);
            }
        }
    }

    /** @param failedBefore the time of the backend's last failure before this caller waited for its turn */
    private Optional<CallerKey> findInTurn(String secret, String hash, String address, long failedBefore) {
        Known before = known(hash);
        if (isFresh(before)) {
            return before.key();
        }
        if (failed != failedBefore) {
            throw new UnavailableException("the backend cannot identify this key now", AWAY);
        }
        return before != null && before.key().isPresent()
                ? ask(secret, hash, before).key()
                : askCounted(secret, hash, before, address);
    }

    private boolean isFresh(@Nullable Known known) {
        boolean isAway = nanos.getAsLong() - failed < AWAY.toNanos();
        return known != null && isYounger(known, isAway ? WITHOUT_BACKEND : FRESH);
    }

    /** Counts the address before it asks the backend, so that concurrent requests are counted, too. */
    private Optional<CallerKey> askCounted(String secret, String hash, @Nullable Known before, String address) {
        unknown.take(address).ifPresent(refusal -> {
            throw new TooManyUnknownException(refusal);
        });
        boolean isUnknown = false;
        try {
            Optional<CallerKey> key = ask(secret, hash, before).key();
            isUnknown = key.isEmpty();
            return key;
        } finally {
            if (!isUnknown) {
                unknown.refund(address);
            }
        }
    }

    private Known ask(String secret, String hash, @Nullable Known before) {
        try {
            return keep(hash, new Known(backend.apply(secret).map(CallerKeys::read), nanos.getAsLong()));
        } catch (UnavailableException failure) {
            failed = nanos.getAsLong();
            if (before != null && isYounger(before, WITHOUT_BACKEND)) {
                return before;
            }
            throw failure;
        }
    }

    private static CallerKey read(AdmittedKey answer) {
        return new CallerKey(
                answer.keyId(),
                Optional.ofNullable(answer.project()),
                answer.billed(),
                answer.tokensLeft() == null ? OptionalLong.empty() : OptionalLong.of(answer.tokensLeft()));
    }

    private synchronized @Nullable Known known(String hash) {
        return good.getOrDefault(hash, refused.get(hash));
    }

    private synchronized Known keep(String hash, Known known) {
        good.remove(hash);
        refused.remove(hash);
        (known.key().isPresent() ? good : refused).put(hash, known);
        return known;
    }
}
