package dev.outpost.serving.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a server, by system property ({@code outpost.serving.port}) or variable ({@code
 * OUTPOST_SERVING_PORT}).
 */
@ConfigMapping(prefix = "outpost.serving")
public interface ServingConfig {
    /** The address on which the API is served. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port on which the API is served; 0 takes a free one. */
    @WithDefault("8000")
    int port();

    /**
     * The models: a URI each, or {@code NAME=URI} for another name than the last part of the URI. Decoders generate text; encoders embed
     * and rank.
     */
    Optional<List<String>> model();

    /**
     * Adapters (LoRA, in PEFT's layout) that are computed beside their models, as {@code NAME=URI}, or {@code MODEL:NAME=URI} if there are
     * several models. Requests name them {@code MODEL:NAME}.
     */
    Optional<List<String>> adapter();

    /**
     * True if this process is the gateway of a backend's deployments; then the backend chooses the models and their machines.
     * {@code OUTPOST_API} and {@code OUTPOST_API_KEY}, or a login, name the backend.
     */
    @WithDefault("false")
    boolean gateway();

    /**
     * True if callers need keys of a backend's projects, which have quotas and are billed there. {@code OUTPOST_API} and
     * {@code OUTPOST_API_KEY}, or a login, name the backend. A gateway always does so.
     */
    @WithDefault("false")
    boolean backend();

    /** The machine that computes, {@code PROVIDER:GPU}. */
    @WithDefault("mock:any")
    String machine();

    /** A running machine to use instead, {@code HOST:PORT} or {@code unix:FILE}. */
    Optional<String> endpoint();

    /** The connection token of the endpoint. */
    Optional<String> token();

    /**
     * The type to which weights are cast when they are loaded, and of the caches, such as {@code bfloat16}. The default is the stored type.
     */
    Optional<String> dtype();

    /** The type to which the machine quantizes the weights of layers while it reads them: {@code int8} or {@code int4}. */
    Optional<String> quantize();

    /** The number of texts that are generated at a time. */
    @WithDefault("16")
    int texts();

    /**
     * The maximum number of tokens of a text, its prompt included; at most the number of the model's positions. The default is the number
     * of positions, or fewer if the machine's memory is too small.
     */
    Optional<Integer> textTokens();

    /**
     * The size of a model's cache: the most tokens of all its texts together. The default is eight texts of full length, or fewer if the
     * machine's memory is too small.
     */
    Optional<Long> cacheTokens();

    /**
     * The memory that the caches of all models of a machine take together, such as {@code 8G}; each has room for the same number of texts
     * of full length. Used instead of {@link #cacheTokens}.
     */
    Optional<MemorySize> cacheMemory();

    /** The maximum number of tokens that a step computes. With fewer, tokens come more evenly; with more, prompts are computed faster. */
    @WithDefault("256")
    int stepTokens();

    /** The number of steps that are enqueued before the first is read. More steps hide a longer latency to the machine. */
    @WithDefault("1")
    int ahead();

    /** The maximum number of requests that wait; further ones are answered with 429. */
    @WithDefault("256")
    int waiting();

    /** The longest time that a request may take. */
    @WithDefault("10m")
    Duration deadline();

    /** The accepted keys, as {@code NAME:SECRET} or {@code SECRET}. Without any, requests need no key. */
    Optional<List<String>> apiKeys();

    /** A file with a key in each line, in the form of {@link #apiKeys}; for example a mounted Secret. */
    Optional<Path> apiKeysFile();

    /**
     * A file with the token for {@code /metrics}. Without this setting {@code /metrics} needs no token; if the file is missing, it refuses
     * all requests.
     */
    Optional<Path> metricsTokenFile();

    /** The limits of connections. */
    Connections connections();

    /** The limits of connections: {@code outpost.serving.connections.*}. */
    interface Connections {
        /** The maximum number of open connections. At the limit, a new connection replaces the oldest one without a request. */
        @WithDefault("4096")
        int total();

        /**
         * The maximum number of open connections of one address. For an address behind a trusted proxy it is the maximum number of requests
         * at a time.
         */
        @WithDefault("256")
        int perAddress();

        /** The longest time in which a client may send the head of a request. */
        @WithDefault("10s")
        Duration headTimeout();

        /** The maximum number of bytes of the head of a request. */
        @WithDefault("16384")
        int headBytes();

        /** The maximum number of bytes of the body of a request. */
        @WithDefault("8388608")
        long bodyBytes();

        /**
         * The longest time without progress. Within it a client must send 16 KiB or the rest of a request's body, and must read some bytes
         * of an answer.
         */
        @WithDefault("30s")
        Duration bodyTimeout();

        /** The time after which a connection without a request is closed. */
        @WithDefault("90s")
        Duration idleTimeout();

        /**
         * The networks of trusted proxies, for example {@code 10.0.0.0/8}. Their connections count only toward the total. The limit of an
         * address applies to the client in their {@code X-Forwarded-For} header.
         */
        Optional<List<String>> trustedProxies();
    }

    /** The longest time that streams may continue after a signal to end. */
    @WithDefault("60s")
    Duration drain();
}
