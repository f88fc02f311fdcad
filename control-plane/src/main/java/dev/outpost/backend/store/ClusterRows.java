package dev.outpost.backend.store;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.cluster.ClusterView.ClusterHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** The table of clusters and worker hosts: where machines can be. */
public final class ClusterRows {
    /** A worker host speaks every few seconds. */
    private static final String SELECT = "SELECT c.*, c.provider = 'worker'"
            + " AND (w.heard_at IS NULL OR w.heard_at < outpost_now() - interval '15 seconds') AS away,"
            + " CASE WHEN w.heard_at IS NOT NULL THEN w.host END AS host, w.version AS program, w.heard_at"
            + " FROM clusters c LEFT JOIN workers w ON w.cluster = c.name";

    private ClusterRows() {}

    /**
     * A cluster.
     *
     * @param provider the supplier's name, such as {@code process}
     * @param gpus the kinds of GPU that it has; every kind where it is empty
     * @param machines how many machines it has room for; as many as it takes where it is empty
     * @param options settings of all its machines
     * @param relay where clients reach its machines by TLS server name, {@code host:port}; at the machines where it is empty
     * @param observed when the look began by which it was last seen whole
     * @param trouble why it was not seen when it was last looked at
     * @param isAway whether it is a worker host that was not heard of of late, which gets no new machines
     * @param worker what a worker host said of itself last; nothing of other clusters, and before it said anything
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

        /** A new one, which takes machines. */
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

    /** @param after the name of the cluster before, empty at the beginning */
    public static List<Stored> page(Sql sql, String after, int limit) {
        return sql.query(SELECT + " WHERE c.name > ? ORDER BY c.name LIMIT ?", Stored.class, after, limit);
    }

    public static Optional<Stored> find(Sql sql, String name) {
        return sql.one(SELECT + " WHERE c.name = ?", Stored.class, name);
    }

    /** False where there is one of that name. */
    public static boolean add(Sql sql, Stored cluster) {
        return sql.insert(
                        "clusters",
                        Columns.of(cluster, "name, provider, state, gpus, machines, options, relay"),
                        "ON CONFLICT (name) DO NOTHING")
                == 1;
    }

    /** Writes a cluster over the version before it; false where it is of another version by now. */
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

    /** False where it has machines, or had. */
    public static boolean remove(Sql sql, String name) {
        sql.planForValues();
        return sql.update(
                        "DELETE FROM clusters c WHERE name = ? AND NOT EXISTS (SELECT 1 FROM machines WHERE cluster = c.name)",
                        name)
                == 1;
    }

    /** The relays of those clusters that have one. */
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
     * Takes a cluster for a time, so that one replica looks at it and the others need not.
     *
     * @return whether it is this observer's
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

    /** Notes that it was seen whole by a look that began then. */
    public static void observed(Sql sql, String name, Instant looked) {
        sql.update("UPDATE clusters SET observed_at = ?, trouble = NULL WHERE name = ?", looked, name);
    }

    /** Notes why it could not be seen. */
    public static void unobserved(Sql sql, String name, String trouble) {
        sql.update("UPDATE clusters SET trouble = ? WHERE name = ?", trouble, name);
    }

    /**
     * The begin of a look at a cluster.
     *
     * @param last when the look began by which it was last seen whole
     * @param isAdopting true if machines that no row knows are to be taken in
     * @param adoption counts how often that was asked for
     */
    public record Look(Instant at, Optional<Instant> last, boolean isAdopting, long adoption) {}

    /** One that begins now; nothing where the cluster was removed. */
    public static Optional<Look> beginLook(Sql sql, String name) {
        return sql.one(
                "SELECT outpost_now() AS at, observed_at AS last, adopting, adoption FROM clusters WHERE name = ?",
                Look.class,
                name);
    }

    /** The next whole list of the cluster makes rows for the machines that no row knows. */
    public static void adopt(Sql sql, String name) {
        sql.update("UPDATE clusters SET adopting = true, adoption = adoption + 1 WHERE name = ?", name);
    }

    /**
     * True if machines of a cluster are still to be taken in, after the database has lost rows. Clusters that are drained do not count:
     * an operator drains one that does not come back, such as a worker host.
     */
    public static boolean isAnyAdopting(Sql sql) {
        return sql.exists("SELECT 1 FROM clusters WHERE adopting AND state <> 'DRAINING' LIMIT 1");
    }

    /**
     * Notes that all machines were taken in, unless it was asked for again since the look began. The machines of a worker host are known
     * only after it has reported.
     */
    public static void adopted(Sql sql, String name, Look look) {
        sql.update(
                "UPDATE clusters c SET adopting = false WHERE name = ? AND adoption = ? AND NOT EXISTS"
                        + " (SELECT 1 FROM workers w WHERE w.cluster = c.name AND w.key_hash IS NOT NULL AND w.heard_at IS NULL)",
                name,
                look.adoption());
    }
}
