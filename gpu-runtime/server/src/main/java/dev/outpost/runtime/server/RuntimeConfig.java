package dev.outpost.runtime.server;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a runtime, by system property ({@code outpost.runtime.port}) or variable ({@code
 * OUTPOST_RUNTIME_PORT}).
 */
@ConfigMapping(prefix = "outpost.runtime")
public interface RuntimeConfig {
    /** The address on which sessions are served; by default only this host can connect. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port on which sessions are served; 0 for a free one. */
    @WithDefault("50051")
    int port();

    /** The address on which health, metrics and REST are served; by default {@link #host}. */
    Optional<String> managementHost();

    /** The port on which health, metrics and REST are served; 0 for a free one. */
    @WithDefault("0")
    int managementPort();

    /** A Unix domain socket for callers on this host. A user who may open the file may use the machine. */
    Optional<Path> socket();

    /** The engine: {@code cpu}, {@code cuda} or {@code reference}. The machine exits if its engine cannot start. */
    @WithDefault("cpu")
    String engine();

    /**
     * The secret that opens sessions, 16 characters or more; generated at the start by default. Do not set it by a system
     * property, which other users of this host can read.
     */
    Optional<String> token();

    /** A file with the secret, instead of {@link #token}. It may appear after the start; see {@link KeyFiles}. */
    Optional<Path> tokenFile();

    /**
     * A file with the SHA-256 of further tokens, in hex, one per line, optionally followed by the terms of the token: {@code
     * project= memory= weight= sessions= expires= role=}. It may be replaced at any time, and may appear after the start. If
     * it is set, no token is generated.
     */
    Optional<Path> grantsFile();

    /**
     * A file with another secret, which gives access only to metrics and {@code /info}. Without the file, there is no such
     * access.
     */
    Optional<Path> metricsTokenFile();

    /** The certificate and its chain, a PEM file that may appear after the start; generated at the start by default. */
    Optional<Path> certificate();

    /** The private key of the certificate, a PEM file (PKCS#8) that may appear after the start. */
    Optional<Path> key();

    /** The settings of connections between members of a group. */
    Peers peers();

    /** The settings of connections between members of a group. */
    interface Peers {
        /** True if members that are processes of one user on one host use a Unix socket instead of TLS. */
        @WithDefault("true")
        boolean unixSockets();

        /** True if members with a Unix socket share memory in /dev/shm for large elements. */
        @WithDefault("true")
        boolean sharedMemory();

        /**
         * A file with a secret that the members of a group share. If it is set, members authenticate each other by this
         * secret and the one that the client generated, so a machine without the file cannot join.
         */
        Optional<Path> grantFile();
    }

    /** The time for which a session is kept after the last message of its client. */
    @WithDefault("30s")
    Duration lease();

    /** The longest time for which the end of the process waits for work that clients were promised. */
    @WithDefault("10s")
    Duration drain();

    /**
     * The locations from which the machine may read models: URIs separated by commas, such as {@code
     * file:/models,s3://bucket/prefix}, with everything below each. {@code volume:models=/mnt/models} gives a folder a name.
     * None by default.
     */
    Optional<String> sources();

    /**
     * The file for a log of the messages and instructions of sessions, one per line. It lists types and shapes but no elements; see
     * docs/running.md. Nothing is logged if it is not set.
     */
    Optional<Path> instructionLog();

    /** The cache of hub files. */
    Cache cache();

    /** The settings of a GPU's engine. */
    Cuda cuda();

    /** The conditions under which the machine exits by itself. */
    End end();

    /** The settings for discovery on a local network. */
    Lan lan();

    /** The limits for clients. */
    Limits limits();

    /** A cache of remote files by their checksums. The least recently used files are deleted to make room. */
    interface Cache {
        /** A folder, for example on a volume that outlives the machine; by default there is no cache. */
        Optional<Path> folder();

        /** The maximum number of bytes of all files together. */
        @WithDefault("107374182400")
        long bytes();
    }

    /** The settings of the engine {@code cuda}. Other engines ignore them. */
    interface Cuda {
        /** A folder that keeps compiled kernels for the next start; by default none are kept. */
        Optional<Path> kernels();

        /** True if products of float32 matrices may round their operands to 10 bits (TF32), which is faster. */
        @WithDefault("false")
        boolean shortProducts();

        /** True if exchanges with other GPUs may be part of graphs of kernels. */
        @WithDefault("true")
        boolean exchangeGraphs();
    }

    /**
     * The conditions under which the machine exits by itself. A monotonic clock measures their times, from the moment at which the machine
     * is ready.
     */
    interface End {
        /** The machine exits if no message of a client arrived for this time; never by default. */
        Optional<Duration> unused();

        /** Replaces {@code unused} before the first client connects, because a member of a group waits until the others are ready. */
        Optional<Duration> first();

        /** The machine exits if no instruction arrived for this time, even if clients are connected; never by default. */
        Optional<Duration> idle();

        /** The machine exits after this time, even if it is in use; never by default. */
        Optional<Duration> life();

        /** A file for the reason of the exit, in one line: {@code idle: no instruction arrived for 10 min}. */
        Optional<Path> file();
    }

    /** The settings for discovery on a local network. They are ignored unless the machine announces itself. */
    interface Lan {
        /** True if the machine announces itself by mDNS. It then serves all addresses unless {@link #host} is set. */
        @WithDefault("false")
        boolean announce();

        /** The display name; by default the name of the host. */
        Optional<String> name();

        /** The folder with its key and the list of paired clients. */
        Optional<Path> state();

        /**
         * The token that pairs clients instead of a code, set for all machines of a network; 16 characters or more. Do not
         * set it by a system property, which other users of this host can read.
         */
        Optional<String> token();

        /** The addresses of this host on the networks to announce on, separated by commas; all by default. */
        Optional<String> addresses();
    }

    /** The limits for clients. Each limit has a metric that counts its refusals. */
    interface Limits {
        /** The maximum number of bytes of values of one session; by default three quarters of the heap, or of a GPU's memory. */
        Optional<Long> quotaBytes();

        /** The maximum number of bytes of values of all sessions; by default the limit of one session. */
        Optional<Long> machineBytes();

        /** The maximum number of sessions at the same time. */
        @WithDefault("64")
        int sessions();

        /** The maximum number of connections at the same time. A session has one at a time. */
        @WithDefault("256")
        int connections();

        /** The maximum number of plans in the cache. */
        @WithDefault("512")
        int plans();

        /** The maximum number of uploads of one session that have begun and were not used yet. */
        @WithDefault("65536")
        int uploads();

        /** The maximum number of messages of one session that wait to be executed. */
        @WithDefault("4096")
        int queuedMessages();

        /** The maximum number of bytes of messages of one session that wait to be executed. */
        @WithDefault("268435456")
        long queuedBytes();

        /** The longest time that one segment may compute. */
        @WithDefault("10m")
        Duration segmentTime();
    }
}
