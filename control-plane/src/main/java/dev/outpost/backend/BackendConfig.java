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

    /** The certificate of HTTPS. With it the API is not served over HTTP. */
    TlsConfig tls();

    /**
     * The time for which a backend still serves after it was told to end, so that load balancers send it no more requests when it stops.
     */
    @WithDefault("0s")
    Duration drain();

    /** The folder of the embedded database and of the admin key; see {@link DataFolder}. */
    Optional<Path> data();

    /** A shell command that runs when the backend serves. The backend ends when the command does. */
    Optional<String> onceReady();

    /** A file that {@code ./outpost backup} wrote. A new database is filled from it. */
    Optional<Path> restore();

    /** The address of the database. Without one, the backend starts an embedded database. */
    DatabaseConfig database();

    /**
     * A key with every right, {@code op_<id>_<secret>}, accepted from the start. Use the variable, because other users of this host can
     * read a property.
     */
    Optional<String> adminKey();

    /**
     * The name, a DNS label, that distinguishes this backend's machines from the machines of other backends at a supplier. The default is a
     * random name that is drawn once and stored in the database.
     */
    Optional<String> installation();

    /** The machines of this host. */
    LocalCluster local();

    /** The relays of clusters. */
    RelayConfig relay();

    /** The longest time from a machine's admission until it is ready. */
    @WithDefault("15m")
    Duration startTimeout();

    /** The longest time that a request waits for a quota or for room. Then it fails. */
    @WithDefault("24h")
    Duration waitLimit();

    /** The longest time that a machine may be missing from its cluster before the backend gives it up. */
    @WithDefault("60s")
    Duration lostGrace();

    /** The age at which a machine without a row is ended. */
    @WithDefault("60s")
    Duration orphanGrace();

    /** The time for which a replica holds a row that it works on. After it, another replica may take the row. */
    @WithDefault("20s")
    Duration lock();

    /**
     * The key from which the management key of each machine is derived: 32 or more letters, digits, - and _, the same for all replicas.
     * With it the backend sends grants to machines and asks how they are used. If a data folder is set, a key is drawn and stored there by
     * default. Without a key, machines get grants only from their suppliers, and make no reports.
     */
    Optional<String> managementKey();

    /** The interval at which machines are asked for reports of their use. */
    @WithDefault("30s")
    Duration reportEvery();

    /**
     * The currency of all prices, budgets and bills, as a code of ISO 4217 such as {@code EUR}. It is shown beside amounts, and changes
     * none of them.
     */
    Optional<String> currency();

    /** The time for which a budget reserves the cost of its machines. Without a backend, the machines end when it is over. */
    @WithDefault("1h")
    Duration budgetHorizon();

    /** The interval at which budgets are checked. */
    @WithDefault("5s")
    Duration budgetEvery();

    /** The number of failed machines of a project within 10 minutes at which the project gets no more machines. */
    @WithDefault("20")
    int mostFailures();

    /** The interval at which all machines of a cluster are listed. */
    @WithDefault("5s")
    Duration observeEvery();

    /** The time after which past use of a project counts half in the order of requests. */
    @WithDefault("24h")
    Duration fairShareHalfLife();

    /** The time for which events are kept. */
    @WithDefault("90d")
    Duration keepEvents();

    /** The time for which ended machines, the costs of machines and texts, and the audit log are kept; at least 31 days. */
    @WithDefault("400d")
    Duration keepUsage();

    /**
     * The bytes that an organisation may store unless the operator sets a quota: programs, and the logs and files of its jobs.
     */
    @WithDefault("53687091200")
    long storedBytes();

    /**
     * The keys that seal secrets and the keys of webhooks: {@code NAME:KEY} with 32 bytes in URL-safe Base64, separated by commas. The
     * first one seals. The others only open. If a data folder is set, a key is drawn and stored there by default.
     */
    Optional<String> sealKey();

    /**
     * Private addresses, blocks such as {@code 10.0.0.0/8} and names of hosts, separated by commas, that webhooks may call, also by plain
     * HTTP. All organisations can then make this backend call them.
     */
    Optional<String> privateEndpoints();

    /** Obsolete. If it is set, the backend tells the operator to use {@link #privateEndpoints}. */
    Optional<String> privateWebhooks();

    /** The time for which deliveries to webhooks are kept. */
    @WithDefault("30d")
    Duration keepDeliveries();

    /** Jobs. */
    JobsConfig jobs();

    /** The issuer by which people log in. */
    OidcConfig oidc();

    /** The average number of requests a second that one key may send. Bursts may be ten times as large. */
    @WithDefault("200")
    int rateLimit();

    /** An issuer of OpenID Connect. */
    interface OidcConfig {
        /**
         * The issuer's URL, exactly as in its ID tokens, such as {@code https://login.example.org/realms/main}. Without it people cannot
         * log in by an issuer.
         */
        Optional<String> issuer();

        /** The id of the command line and the dashboard at the issuer, as a public client. */
        @WithDefault("outpost")
        String clientId();

        /** The claim of ID tokens that lists groups. */
        @WithDefault("groups")
        String groupsClaim();

        /** The roles of groups: {@code GROUP=ORGANISATION:ROLE} or {@code GROUP=ORGANISATION/PROJECT:ROLE}, separated by commas. */
        Optional<String> roles();

        /** The lifetime of the key of a login. */
        @WithDefault("12h")
        Duration keyLife();

        /**
         * The time after the last login for which a person keeps the roles of groups, with all keys that depend on them. The issuer is
         * asked only at logins, so a person who has left a group keeps its role for at most this time. The default is 24 hours, or the life
         * of a login's key if that is longer.
         */
        Optional<Duration> memberLife();
    }

    /** The runners of jobs, which run beside machines and call this backend. */
    interface JobsConfig {
        /** The address at which runners reach the backend, such as {@code https://gpu.example.org}; this host by default. */
        Optional<String> address();

        /**
         * A PEM file on this host with the authority that issued the certificate that runners see. The backend sends its content to them.
         * Not needed if the JDK knows the authority.
         */
        Optional<Path> authority();

        /** The longest time from a ready machine until its runner reaches the backend. Then the job fails. */
        @WithDefault("5m")
        Duration startTimeout();

        /**
         * The time for which a run continues without contact to this backend if another run may follow it; at least 1 minute. If the
         * machine of a run is lost, the next run waits for the same time. Other runs continue without limit.
         */
        @WithDefault("15m")
        Duration lease();

        /** The time for which ended jobs are kept, with their logs and files. */
        @WithDefault("30d")
        Duration keep();
    }

    /** The limits of connections: {@code outpost.backend.connections.*}. */
    ConnectionsConfig connections();

    /** The limits of connections. */
    interface ConnectionsConfig {
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

    /** PEM files, as in a Secret of type {@code kubernetes.io/tls}. Either both are set, or none. */
    interface TlsConfig {
        /** The certificate, followed by the certificates of its authorities. */
        Optional<Path> certificate();

        /** Its private key. */
        Optional<Path> key();
    }

    /** The relay that passes clients through to machines that they cannot reach; see {@code ./outpost relay}. */
    interface RelayConfig {
        /**
         * The secret that signs names, as {@code ./outpost relay --new-secret} prints it. During a change of secrets, it contains several
         * secrets, separated by commas.
         */
        Optional<String> secret();
    }

    /** A cluster of runtime processes on this host. The first start makes it if no cluster exists. */
    interface LocalCluster {
        /** True if the first start makes this cluster. */
        @WithDefault("true")
        boolean enabled();

        /** The maximum number of machines that it runs at a time. */
        @WithDefault("4")
        int machines();
    }
}
