package dev.outpost.serving.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.provider.outpost.BackendException;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.UnavailableException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The keys that requests bear, which are the backend's: it says whose each is. What it said holds for a time, and for longer while
 * it does not answer, so that running clients go on. Thread-safe.
 */
@ApplicationScoped
public class CallerKeys {
    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final Duration WITHOUT_BACKEND = Duration.ofMinutes(10);
    /** How long the backend may take to say whose a key is. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** How long it is not asked again about a key that it did not answer about. */
    private static final Duration AWAY = Duration.ofSeconds(5);

    private static final int MOST = 10_000;

    /** As the backend draws keys; of others it need not be asked. */
    private static final Pattern FORM = Pattern.compile("op_[a-z0-9]{10}_[A-Za-z0-9-]{40,64}");

    /** Apart from the keys that are refused, so that those never push out what is known of good ones. */
    private final Map<String, Known> good = leastRecentlyUsed();

    private final Map<String, Known> refused = leastRecentlyUsed();
    /** By the hashes of the keys that the backend is asked about now. */
    private final Map<String, Object> asking = new ConcurrentHashMap<>();

    private final UnknownKeys unknown;

    private static Map<String, Known> leastRecentlyUsed() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                return size() > MOST;
            }
        };
    }

    private final boolean isAsked;
    private BackendClient backend;
    private volatile long failed = System.nanoTime() - AWAY.toNanos();

    @Inject
    CallerKeys(ServingConfig config) {
        this(config, new UnknownKeys(System::nanoTime));
    }

    CallerKeys(ServingConfig config, UnknownKeys unknown) {
        this(config, unknown, null);
    }

    /** @param backend who says whose a key is; the configured one if it is null */
    CallerKeys(ServingConfig config, UnknownKeys unknown, BackendClient backend) {
        this.unknown = unknown;
        this.backend = backend;
        isAsked = config.gateway() || config.backend();
    }

    /** Whether callers are told by keys of a backend. */
    public boolean isAsked() {
        return isAsked;
    }

    /**
     * Whose a key is.
     *
     * @param id the key's
     * @param project the one that it is for; all of the organisation's where it is empty
     * @param billed the project that has the bill
     * @param tokensLeft how many tokens its texts may have yet; nothing where there is no such quota
     */
    public record CallerKey(String id, Optional<String> project, String billed, OptionalLong tokensLeft) {}

    private record Known(Optional<CallerKey> key, long nanos) {
        boolean isYounger(Duration age) {
            return System.nanoTime() - nanos < age.toNanos();
        }
    }

    /**
     * The owner of a key; nothing where the gateway serves none such.
     *
     * @param address where the request came from
     * @throws UnknownKeys.TooManyException where the address has shown too many keys that are none
     */
    public Optional<CallerKey> find(String secret, String address) {
        if (!FORM.matcher(secret).matches()) {
            return Optional.empty();
        }
        String hash = hash(secret);
        Known before = known(hash);
        if (isFresh(before)) {
            return before.key();
        }
        if (before == null || before.key().isEmpty()) {
            unknown.require(address);
        }
        long failedBefore = failed;
        Object ours = asking.computeIfAbsent(hash, first -> new Object());
        // Many callers may have one key: one of them asks for all.
        synchronized (ours) {
            try {
                return ask(secret, hash, address, failedBefore);
            } finally {
                asking.remove(hash, ours);
            }
        }
    }

    private boolean isFresh(Known known) {
        boolean isAway = System.nanoTime() - failed < AWAY.toNanos();
        return known != null && known.isYounger(isAway ? WITHOUT_BACKEND : FRESH);
    }

    /** @param failedBefore when the backend had last not answered, before this waited for its turn */
    private Optional<CallerKey> ask(String secret, String hash, String address, long failedBefore) {
        Known before = known(hash);
        if (isFresh(before)) {
            return before.key();
        }
        if (failed != failedBefore) {
            throw notSaid();
        }
        try {
            return keep(hash, Optional.of(read(client().post("/v1/gateways:admit", Map.of("key", secret)))));
        } catch (BackendException failure) {
            if (failure.code().equals("not-found")) {
                unknown.count(address);
                return keep(hash, Optional.empty());
            }
            failed = System.nanoTime();
            if (before != null && before.isYounger(WITHOUT_BACKEND)) {
                return before.key();
            }
            throw notSaid();
        }
    }

    private static UnavailableException notSaid() {
        return new UnavailableException("the backend does not say now whose this key is", AWAY);
    }

    private static CallerKey read(JsonNode answer) {
        return new CallerKey(
                answer.path("keyId").asText(),
                Optional.ofNullable(answer.path("project").textValue()),
                answer.path("billed").asText(),
                answer.hasNonNull("tokensLeft")
                        ? OptionalLong.of(answer.get("tokensLeft").asLong())
                        : OptionalLong.empty());
    }

    private synchronized BackendClient client() {
        if (backend == null) {
            backend = BackendClient.configured().within(ANSWER);
        }
        return backend;
    }

    private synchronized Known known(String hash) {
        return good.getOrDefault(hash, refused.get(hash));
    }

    private synchronized Optional<CallerKey> keep(String hash, Optional<CallerKey> key) {
        good.remove(hash);
        refused.remove(hash);
        (key.isPresent() ? good : refused).put(hash, new Known(key, System.nanoTime()));
        return key;
    }

    private static String hash(String secret) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
