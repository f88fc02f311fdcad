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
     * The models: a URI each, or {@code NAME=URI} where requests name it otherwise than by the last part of its URI. Decoders
     * generate, encoders embed and rank.
     */
    Optional<List<String>> model();

    /**
     * Adapters (LoRA, in PEFT's layout) that are computed beside their models, as {@code NAME=URI}, or {@code MODEL:NAME=URI} where
     * there are several models. Requests call them {@code MODEL:NAME}.
     */
    Optional<List<String>> adapter();

    /**
     * Whether this is the gateway of a backend's deployments, which says what is served where; {@code OUTPOST_API} and
     * {@code OUTPOST_API_KEY}, or a login, say which backend.
     */
    @WithDefault("false")
    boolean gateway();

    /**
     * Whether callers are let in by keys of a backend's projects, held to their quotas, and billed there; {@code OUTPOST_API} and
     * {@code OUTPOST_API_KEY}, or a login, say which backend. A gateway does so anyway.
     */
    @WithDefault("false")
    boolean backend();

    /** The machine that computes, {@code PROVIDER:GPU}. */
    @WithDefault("mock:any")
    String machine();

    /** A machine that runs already, {@code HOST:PORT} or {@code unix:FILE}, instead. */
    Optional<String> endpoint();

    /** Its connection token. */
    Optional<String> token();

    /** Weights and caches are cast to it on their way, such as {@code bfloat16}; as they are stored unless it is said. */
    Optional<String> dtype();

    /** The weights of layers are quantized on the machine as they are read, to {@code int8} or {@code int4}. */
    Optional<String> quantize();

    /** How many texts are generated at a time. */
    @WithDefault("16")
    int texts();

    /**
     * How many tokens a text can have, its prompt included; as many as the model has positions at most. Unless it is said, as many as the
     * model has positions and the machine has memory for.
     */
    Optional<Integer> textTokens();

    /**
     * How many tokens all texts of a model can have together: the size of its cache. Eight whole texts unless it is said, or as many as
     * the machine has memory for.
     */
    Optional<Long> cacheTokens();

    /**
     * The memory that the caches of all models of a machine take together, such as {@code 8G}; each has room for as many whole texts as
     * any other. Instead of {@link #cacheTokens}.
     */
    Optional<MemorySize> cacheMemory();

    /** How many tokens a step computes at most. Fewer let tokens come more evenly, more let prompts be computed faster. */
    @WithDefault("256")
    int stepTokens();

    /** How many steps are enqueued before the first of them is read; more hide a longer way to the machine. */
    @WithDefault("1")
    int ahead();

    /** How many requests wait at most; further ones are answered by 429. */
    @WithDefault("256")
    int waiting();

    /** How long a request may take. */
    @WithDefault("10m")
    Duration deadline();

    /** Keys that are let in, as {@code NAME:SECRET} or {@code SECRET}; without any, everybody is. */
    Optional<List<String>> apiKeys();

    /** A file with a key in each line, as {@link #apiKeys}; such as a Secret that is mounted. */
    Optional<Path> apiKeysFile();

    /** A file with the token that opens {@code /metrics}, which is open to everybody where none is named; one that is not there opens nothing. */
    Optional<Path> metricsTokenFile();

    /** The limits of connections. */
    Connections connections();

    /** The limits of connections: {@code outpost.serving.connections.*}. */
    interface Connections {
        /** How many connections are open at a time. A newcomer drives out the oldest one without a request. */
        @WithDefault("4096")
        int total();

        /** How many connections of one address are open at a time; behind a trusted proxy, how many requests of it are under way. */
        @WithDefault("256")
        int perAddress();

        /** How long a client may take for the head of a request. */
        @WithDefault("10s")
        Duration headTimeout();

        /** How many bytes the head of a request has at most. */
        @WithDefault("16384")
        int headBytes();

        /** How many bytes the body of a request has at most. */
        @WithDefault("8388608")
        long bodyBytes();

        /** Within which the body of a request must bring 16 KiB or its end, and a client take something of an answer. */
        @WithDefault("30s")
        Duration bodyTimeout();

        /** How long a connection without a request stays open. */
        @WithDefault("90s")
        Duration idleTimeout();

        /**
         * The networks of proxies, such as {@code 10.0.0.0/8}. Their connections count in total only; the limit of an address goes by their
         * {@code X-Forwarded-For}.
         */
        Optional<List<String>> trustedProxies();
    }

    /** How long streams may go on behind a signal to end. */
    @WithDefault("60s")
    Duration drain();
}
