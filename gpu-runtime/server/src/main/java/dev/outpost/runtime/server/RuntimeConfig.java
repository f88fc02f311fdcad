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
    /** The address on which sessions are served; only this host reaches a machine that is not told. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port on which sessions are served; 0 takes a free one. */
    @WithDefault("50051")
    int port();

    /** The address on which health, metrics and REST are served; as {@link #host} where it is not said. */
    Optional<String> managementHost();

    /** The port on which health, metrics and REST are served; 0 takes a free one. */
    @WithDefault("0")
    int managementPort();

    /** A Unix domain socket for callers on this host; who may open the file may use the machine. */
    Optional<Path> socket();

    /** The engine: {@code cpu}, {@code cuda} or {@code reference}. One that cannot start ends the machine. */
    @WithDefault("cpu")
    String engine();

    /**
     * The secret that opens sessions, 16 characters or more; made at the start where it is not said. Not to be set by a system
     * property, which others on this host can read.
     */
    Optional<String> token();

    /** A file that holds the secret, in place of {@link #token}; see {@link KeyFiles} for one that comes late. */
    Optional<Path> tokenFile();

    /**
     * A file with the SHA-256 of further tokens, in hex, a line each, perhaps followed by what the token is good for:
     * {@code project= memory= weight= sessions= expires= role=}. It may be replaced at any time, and may come late. Where it is
     * named, no token needs to be made.
     */
    Optional<Path> grantsFile();

    /** A file with another secret, which opens metrics and {@code /info} and nothing else; one that is not there opens nothing. */
    Optional<Path> metricsTokenFile();

    /** The certificate and its chain, a file in PEM, which may come late; made at the start where it is not said. */
    Optional<Path> certificate();

    /** The private key of the certificate, a file in PEM (PKCS#8), which may come late. */
    Optional<Path> key();

    /** How members of a group reach each other. */
    Peers peers();

    /** How members of a group reach each other. */
    interface Peers {
        /** Whether members that are processes of one user on one host use a Unix socket in place of TLS. */
        @WithDefault("true")
        boolean unixSockets();

        /** Whether members that use a Unix socket use memory of both processes, in /dev/shm, for large elements. */
        @WithDefault("true")
        boolean sharedMemory();

        /**
         * A file with a secret that the members of a group have in common. Where it is set, members know each other by it and by what the
         * client has drawn, so a machine without the file is no member.
         */
        Optional<Path> grantFile();
    }

    /** How long a session outlives the last sign of its client. */
    @WithDefault("30s")
    Duration lease();

    /** How long the end of the process may wait for what clients were promised. */
    @WithDefault("10s")
    Duration drain();

    /**
     * What the machine may read models from: URIs with commas between them, such as {@code file:/models,s3://bucket/prefix}, and
     * all below each. {@code volume:models=/mnt/models} gives a folder a name. Nothing where it is not said.
     */
    Optional<String> sources();

    /**
     * The file for a log of the messages and instructions of sessions, one per line. It lists types and shapes but no elements; see
     * docs/running.md. Nothing is logged if it is not set.
     */
    Optional<Path> instructionLog();

    /** Where files of a hub are kept. */
    Cache cache();

    /** The settings of a GPU's engine. */
    Cuda cuda();

    /** When the machine ends by itself. */
    End end();

    /** How the machine is found on a local network. */
    Lan lan();

    /** The bounds for a client. */
    Limits limits();

    /** Files that are far away are kept by their checksums, and those that were used longest ago make room. */
    interface Cache {
        /** A folder, such as on a volume that outlives the machine; nothing is kept where it is not said. */
        Optional<Path> folder();

        /** The most bytes of all files together. */
        @WithDefault("107374182400")
        long bytes();
    }

    /** Of no account for the other engines. */
    interface Cuda {
        /** A folder that keeps compiled kernels for the next start; none are kept where it is not said. */
        Optional<Path> kernels();

        /** Whether products of float32 matrices may round their operands to 10 bits (TF32), which is faster. */
        @WithDefault("false")
        boolean shortProducts();

        /** Whether exchanges with other GPUs may be part of graphs of kernels. */
        @WithDefault("true")
        boolean exchangeGraphs();
    }

    /** Judged by a monotonic clock, from when the machine is ready. */
    interface End {
        /** The machine ends when nothing was heard of any client for so long; never where it is not said. */
        Optional<Duration> unused();

        /** As {@code unused}, before the first client came: a member of a group waits until the others are there. */
        Optional<Duration> first();

        /** The machine ends when no instruction came for so long, whoever is there; never where it is not said. */
        Optional<Duration> idle();

        /** The machine ends after so long, whoever uses it; never where it is not said. */
        Optional<Duration> life();

        /** A file that is told why the machine ended, in one line: {@code idle: no instruction came for 10 min}. */
        Optional<Path> file();
    }

    /** Of no account where the machine does not announce itself. */
    interface Lan {
        /** Whether the machine announces itself by mDNS; it then serves all addresses where {@link #host} is not said. */
        @WithDefault("false")
        boolean announce();

        /** Its name for people; the name of the host where none is set. */
        Optional<String> name();

        /** The folder that keeps its key and the clients that it is paired with. */
        Optional<Path> state();

        /**
         * The token that pairs clients in place of a code, set for all machines of a network; 16 characters or more.
         * Not to be set by a system property, which others on this host can read.
         */
        Optional<String> token();

        /** Addresses of this host on the networks where it is announced, with commas between them; all where it is not said. */
        Optional<String> addresses();
    }

    /** Each bound has a counter of its refusals among the metrics. */
    interface Limits {
        /** Bytes of values of one session; three quarters of the heap, or of a GPU's memory, where it is not said. */
        Optional<Long> quotaBytes();

        /** Bytes of values of all sessions; as much as one session may take where it is not said. */
        Optional<Long> machineBytes();

        /** Sessions at once. */
        @WithDefault("64")
        int sessions();

        /** Connections at once; a session has one at a time. */
        @WithDefault("256")
        int connections();

        /** Plans in the cache. */
        @WithDefault("512")
        int plans();

        /** Uploads of one session that have begun and were not used yet. */
        @WithDefault("65536")
        int uploads();

        /** Messages of one session that wait to be executed. */
        @WithDefault("4096")
        int queuedMessages();

        /** Bytes of messages of one session that wait to be executed. */
        @WithDefault("268435456")
        long queuedBytes();

        /** How long one segment may compute. */
        @WithDefault("10m")
        Duration segmentTime();
    }
}
