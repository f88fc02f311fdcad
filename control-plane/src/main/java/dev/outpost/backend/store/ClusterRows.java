package dev.outpost.backend.store;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.cluster.ClusterView.ClusterHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** The table of clusters and worker hosts, on which machines run. */
public final class ClusterRows {
    /** Selects clusters. A worker host, which reports every few seconds, is unreachable if it has not reported recently. */
    private static final String SELECT = "SELECT c.*, c.provider = 'worker'"
            + " AND (w.heard_at IS NULL OR w.heard_at < outpost_now() - interval '15 seconds') AS away,"
            + " CASE WHEN w.heard_at IS NOT NULL THEN w.host END AS host, w.version AS program, w.heard_at"
            + " FROM clusters c LEFT JOIN workers w ON w.cluster = c.name";

    private ClusterRows() {}

    /**
     * A cluster.
     *
     * @param provider the supplier's name, such as {@code process}
     * @param gpus the kinds of its GPUs; every kind if empty
     * @param machines the number of machines that it has room for; no limit if empty
     * @param options settings of all its machines
     * @param relay the relay, {@code host:port}, at which clients reach its machines by TLS server name; if empty,
     *     clients connect to the machines
     * @param observed the beginning of the last complete list of its machines
     * @param trouble the reason why the last observation of the cluster failed
     * @param isAway true for a worker host that has not reported recently; it gets no new machines
     * @param worker the last report of a worker host about itself; empty before its first report, and for other
     *     clusters
     */
    public record Stored(
            String name,
            String provider,
            ClusterState state,
            List<String> gpus,
            OptionalInt machines,
            Map<String, String> options,
            Optional<String> relay,
            long version,
            Optional<Instant> observed,
            Optional<String> trouble,
            boolean isAway,
            Optional<ClusterHost> worker) {

        /** Makes a new cluster, which accepts machines. */
        public static Stored active(
                String name, String provider, List<String> gpus, OptionalInt machines, Map<String, String> options) {
            return new Stored(
                    name,
                    provider,
                    ClusterState.ACTIVE,
                    List.copyOf(gpus),
                    machines,
                    Map.copyOf(options),
                    Optional.empty(),
                    1,
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    Optional.empty());
        }

        public Stored withState(ClusterState next) {
            return new Stored(
                    name, provider, next, gpus, machines, options, relay, version, observed, trouble, isAway, worker);
        }

        public Stored withRelay(Optional<String> next) {
            return new Stored(
                    name, provider, state, gpus, machines, options, next, version, observed, trouble, isAway, worker);
        }

        public Stored withRoom(List<String> kinds, OptionalInt room) {
            return new Stored(
                    name, provider, state, kinds, room, options, relay, version, observed, trouble, isAway, worker);
        }

        public boolean has(String gpu) {
            return !GpuKinds.on(gpus, gpu).isEmpty();
        }
    }

    /** Returns the name by which suppliers know the machines of this database. */
    public static String installation(Sql sql) {
        return sql.one("SELECT name FROM installation", String.class).orElseThrow();
    }

    public static List<Stored> all(Sql sql) {
        return sql.query(SELECT + " ORDER BY c.name", Stored.class);
    }

    /** @param after the name of the cluster before; empty at the beginning */
    public static List<Stored> page(Sql sql, String after, int limit) {
        return sql.query(SELECT + " WHERE c.name > ? ORDER BY c.name LIMIT ?", Stored.class, after, limit);
    }

    public static Optional<Stored> find(Sql sql, String name) {
        return sql.one(SELECT + " WHERE c.name = ?", Stored.class, name);
    }

    /** Adds a cluster. Returns false if the name is taken. */
    public static boolean add(Sql sql, Stored cluster) {
        return sql.insert(
                        "clusters",
                        Columns.of(cluster, "name, provider, state, gpus, machines, options, relay"),
                        "ON CONFLICT (name) DO NOTHING")
                == 1;
    }

    /** Writes a cluster over its previous version. Returns false if the row has another version now. */
    public static boolean update(Sql sql, Stored cluster) {
        return sql.change(
                        "clusters",
                        Columns.of(cluster, "state, gpus, machines, options, relay")
                                .and("version", cluster.version() + 1),
                        "name = ? AND version = ?",
                        cluster.name(),
                        cluster.version())
                == 1;
    }

    /** Locks a cluster, so that no other transaction changes it. */
    public static void lock(Sql sql, String name) {
        sql.exists("SELECT 1 FROM clusters WHERE name = ? FOR UPDATE", name);
    }

    /** Removes a cluster. Returns false if it has or had machines. */
    public static boolean remove(Sql sql, String name) {
        sql.planForValues();
        return sql.update(
                        "DELETE FROM clusters c WHERE name = ? AND NOT EXISTS (SELECT 1 FROM machines WHERE cluster = c.name)",
                        name)
                == 1;
    }

    /** Returns the relays of the clusters that have a relay. */
    public static Map<String, String> relays(Sql sql) {
        return sql.map("SELECT name, relay FROM clusters WHERE relay IS NOT NULL", String.class, String.class);
    }

    /** Returns the number of machines of each cluster that have not ended. */
    public static Map<String, Integer> counts(Sql sql) {
        return sql.map(
                "SELECT cluster, sum(members)::int AS machines FROM machines WHERE phase <> 'ENDED'"
                        + " AND cluster IS NOT NULL GROUP BY cluster",
                String.class,
                Integer.class);
    }

    /**
     * Claims a cluster for a time, so that only one replica observes it.
     *
     * @return true if this observer has the claim
     */
    public static boolean observe(Sql sql, String name, UUID observer, Duration time) {
        return sql.update(
                        "UPDATE clusters SET observer = ?, observer_until = outpost_now() + ? * interval '1 millisecond'"
                                + " WHERE name = ? AND (observer = ? OR observer IS NULL OR observer_until <= outpost_now())",
                        observer,
                        time.toMillis(),
                        name,
                        observer)
                == 1;
    }

    /** Records that an observation that began at {@code looked} has listed the whole cluster. */
    public static void observed(Sql sql, String name, Instant looked) {
        sql.update("UPDATE clusters SET observed_at = ?, trouble = NULL WHERE name = ?", looked, name);
    }

    /** Records why the cluster could not be listed. */
    public static void unobserved(Sql sql, String name, String trouble) {
        sql.update("UPDATE clusters SET trouble = ? WHERE name = ?", trouble, name);
    }

    /**
     * The beginning of an observation of a cluster.
     *
     * @param last the beginning of the last complete list of its machines
     * @param isAdopting true if machines without rows are to be adopted
     * @param adoption counts the requests for adoption
     */
    public record Look(Instant at, Optional<Instant> last, boolean isAdopting, long adoption) {}

    /** Begins an observation now; empty if the cluster was removed. */
    public static Optional<Look> beginLook(Sql sql, String name) {
        return sql.one(
                "SELECT outpost_now() AS at, observed_at AS last, adopting, adoption FROM clusters WHERE name = ?",
                Look.class,
                name);
    }

    /** Requests adoption: the next complete list of the cluster makes rows for machines without one. */
    public static void adopt(Sql sql, String name) {
        sql.update("UPDATE clusters SET adopting = true, adoption = adoption + 1 WHERE name = ?", name);
    }

    /**
     * True if machines of a cluster are still to be adopted, after the database has lost rows. Drained clusters do not count, because an
     * operator drains a cluster that is gone permanently, such as a removed worker host.
     */
    public static boolean isAnyAdopting(Sql sql) {
        return sql.exists("SELECT 1 FROM clusters WHERE adopting AND state <> 'DRAINING' LIMIT 1");
    }

    /**
     * Records that all machines were adopted, unless adoption was requested again since the observation began. The machines of a worker
     * host are known only after it has reported.
     */
    public static void adopted(Sql sql, String name, Look look) {
        sql.update(
                "UPDATE clusters c SET adopting = false WHERE name = ? AND adoption = ? AND NOT EXISTS"
                        + " (SELECT 1 FROM workers w WHERE w.cluster = c.name AND w.key_hash IS NOT NULL AND w.heard_at IS NULL)",
                name,
                look.adoption());
    }
}
