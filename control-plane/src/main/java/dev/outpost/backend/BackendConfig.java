package dev.outpost.backend;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a backend, by system property ({@code outpost.backend.port}) or variable ({@code
 * OUTPOST_BACKEND_PORT}).
 */
@ConfigMapping(prefix = "outpost.backend")
public interface BackendConfig {
    /** The address on which the API and the dashboard are served. */
    @WithDefault("127.0.0.1")
    String host();

    /** The port on which the API and the dashboard are served; 0 takes a free one. */
    @WithDefault("8750")
    int port();

    /** The certificate by which the API is served over HTTPS, and no more over HTTP. */
    TlsConfig tls();

    /** How long a backend that was told to end still serves, so that nobody is sent to it any more when it stops. */
    @WithDefault("0s")
    Duration drain();

    /** The folder of the embedded database and of the admin key; see {@link DataFolder}. */
    Optional<Path> data();

    /** A command of the shell that is run when the backend serves, and with which it ends. */
    Optional<String> onceReady();

    /** What {@code ./outpost backup} wrote, which a new database begins with. */
    Optional<Path> restore();

    /** Where the database is; an embedded one is started where it is not said. */
    DatabaseConfig database();

    /**
     * A key with every right, {@code op_<id>_<secret>}, which is let in from the start on; the variable is better than a
     * property, which others on this host can read.
     */
    Optional<String> adminKey();

    /** The name that tells this backend's machines from those of others at one supplier, a DNS label; the database draws one. */
    Optional<String> installation();

    /** The machines of this host. */
    LocalCluster local();

    /** The relays of clusters. */
    RelayConfig relay();

    /** How long a machine may take from its admission until it is ready. */
    @WithDefault("15m")
    Duration startTimeout();

    /** How long a request waits for a quota or for room before it is given up. */
    @WithDefault("24h")
    Duration waitLimit();

    /** How long a machine may be out of its cluster's sight before it is given up. */
    @WithDefault("60s")
    Duration lostGrace();

    /** How old a machine without a row is before it is ended. */
    @WithDefault("60s")
    Duration orphanGrace();

    /** How long a replica keeps a row that it works on; another one goes on with it then. */
    @WithDefault("20s")
    Duration lock();

    /**
     * The key from which each machine's own is derived, by which this backend manages grants on machines themselves and asks
     * how they are used: 32 or more letters, digits, - and _, the same for all replicas. With a data folder one is drawn into
     * it. Without any, machines hear of grants from their suppliers alone, and make no reports.
     */
    Optional<String> managementKey();

    /** How often machines are asked how they are used. */
    @WithDefault("30s")
    Duration reportEvery();

    /**
     * The currency of all prices, budgets and bills, as a code of ISO 4217 such as {@code EUR}. It is shown beside amounts, and changes none
     * of them.
     */
    Optional<String> currency();

    /** How long a budget's hold lasts: what machines cost in that time is put by, and they end by then without a backend. */
    @WithDefault("1h")
    Duration budgetHorizon();

    /** How often budgets are looked at. */
    @WithDefault("5s")
    Duration budgetEvery();

    /** How many machines of a project may fail within 10 minutes before no more are made for it. */
    @WithDefault("20")
    int mostFailures();

    /** How often a cluster is looked at whole. */
    @WithDefault("5s")
    Duration observeEvery();

    /** After which time what a project has used counts half in its turn. */
    @WithDefault("24h")
    Duration fairShareHalfLife();

    /** How long events are kept. */
    @WithDefault("90d")
    Duration keepEvents();

    /** How long machines that are over, what they and texts have cost, and what was done are kept; 31 days at the least. */
    @WithDefault("400d")
    Duration keepUsage();

    /**
     * How many bytes an organisation may store, if the operator sets no quota of it: programs, and the logs and files that runs of
     * its jobs leave.
     */
    @WithDefault("53687091200")
    long storedBytes();

    /**
     * The keys by which secrets and the keys of webhooks are sealed, {@code NAME:KEY} with 32 bytes in URL-safe Base64; several,
     * separated by commas, the one that seals first. With a data folder one is drawn into it.
     */
    Optional<String> sealKey();

    /**
     * Private addresses, blocks such as {@code 10.0.0.0/8} and names of hosts, separated by commas, that webhooks may call, also by plain
     * HTTP. All organisations can then make this backend call them.
     */
    Optional<String> privateEndpoints();

    /** Not read any more: an operator who still sets it is told to name addresses in {@link #privateEndpoints} instead. */
    Optional<String> privateWebhooks();

    /** How long deliveries to webhooks are kept. */
    @WithDefault("30d")
    Duration keepDeliveries();

    /** Jobs. */
    JobsConfig jobs();

    /** The issuer by which people log in. */
    OidcConfig oidc();

    /** Requests a second of one key that are let through in the long run; bursts may be ten times as many. */
    @WithDefault("200")
    int rateLimit();

    /** An issuer of OpenID Connect. */
    interface OidcConfig {
        /** The issuer's URL as it calls itself, such as {@code https://login.example.org/realms/main}. Without it there are no such logins. */
        Optional<String> issuer();

        /** The id by which the issuer knows the command line and the dashboard: a public client. */
        @WithDefault("outpost")
        String clientId();

        /** The claim of ID tokens that lists groups. */
        @WithDefault("groups")
        String groupsClaim();

        /** The roles of groups: {@code GROUP=ORGANISATION:ROLE} or {@code GROUP=ORGANISATION/PROJECT:ROLE}, separated by commas. */
        Optional<String> roles();

        /** How long the key of a login holds. */
        @WithDefault("12h")
        Duration keyLife();

        /**
         * How long a person keeps the roles that groups gave, with all keys that go by them, after the last login. The issuer is asked at
         * logins only, so a person who has left a group keeps its role for that time at most. 24 hours, or the life of a login's key if
         * that is longer.
         */
        Optional<Duration> memberLife();
    }

    /** The runners of jobs, which ask this backend from beside machines. */
    interface JobsConfig {
        /** Where they reach the backend, such as {@code https://gpu.example.org}; this host unless it is said. */
        Optional<String> address();

        /**
         * A file at this backend with the authority, in PEM, that has issued the certificate that runners see. The backend sends
         * its content to them. Not needed where the JDK knows the authority.
         */
        Optional<Path> authority();

        /** How long a runner may take to reach the backend once its machine is ready; then the job has failed. */
        @WithDefault("5m")
        Duration startTimeout();

        /**
         * How long a run that may be followed by another one goes on without contact to this backend: 1 minute at the least. If the
         * machine of a run is lost from sight, the next run waits for as long. Other runs go on without limit.
         */
        @WithDefault("15m")
        Duration lease();

        /** How long jobs that are over are kept, with their logs and files. */
        @WithDefault("30d")
        Duration keep();
    }

    /** The limits of connections: {@code outpost.backend.connections.*}. */
    ConnectionsConfig connections();

    /** The limits of connections. */
    interface ConnectionsConfig {
        /** The most open connections. At the limit, a new connection replaces the oldest one without a request. */
        @WithDefault("4096")
        int total();

        /** The most open connections of one address. For an address behind a trusted proxy it is the most requests at a time. */
        @WithDefault("256")
        int perAddress();

        /** The longest time in which a client may send the head of a request. */
        @WithDefault("10s")
        Duration headTimeout();

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

    /** A database that runs already. */
    interface DatabaseConfig {
        /** Its JDBC URL, {@code jdbc:postgresql://HOST/DATABASE}. */
        Optional<String> url();

        Optional<String> user();

        Optional<String> password();
    }

    /** Files in PEM, as in a Secret of type {@code kubernetes.io/tls}. Both of them, or none. */
    interface TlsConfig {
        /** The certificate, and those of its authorities. */
        Optional<Path> certificate();

        /** Its private key. */
        Optional<Path> key();
    }

    /** The relay that passes clients through to machines that they cannot reach; see {@code ./outpost relay}. */
    interface RelayConfig {
        /**
         * The secret that signs names, as {@code ./outpost relay --new-secret} prints it; several, separated by commas,
         * in a change.
         */
        Optional<String> secret();
    }

    /** A cluster that is made at the first start where there is none: runtime processes on this host. */
    interface LocalCluster {
        /** Whether there is one. */
        @WithDefault("true")
        boolean enabled();

        /** How many machines it has room for at once. */
        @WithDefault("4")
        int machines();
    }
}
