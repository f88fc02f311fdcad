package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.fleet.loop.Reconciler;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetWatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Observes the clusters that this replica has claimed, each in a separate task: lists them repeatedly and watches them in between. */
public final class ClusterWatches implements Reconciler {
    private static final Logger LOG = Logger.getLogger(ClusterWatches.class);

    private final UUID replica;
    private final Database database;
    private final ClusterObserver observer;
    private final Suppliers suppliers;
    private final Duration period;
    private final Wakeups wakeups;
    private final Map<String, Watched> watches = new HashMap<>();
    private final Set<String> observed = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private record Watched(long version, FleetWatch watch) {}

    public ClusterWatches(
            UUID replica,
            Database database,
            ClusterObserver observer,
            Suppliers suppliers,
            Duration period,
            Wakeups wakeups) {
        this.replica = replica;
        this.database = database;
        this.observer = observer;
        this.suppliers = suppliers;
        this.period = period;
        this.wakeups = wakeups;
    }

    @Override
    public String name() {
        return Wakeups.OBSERVER;
    }

    @Override
    public Duration period() {
        return period;
    }

    @Override
    public void round() {
        List<ClusterRows.Stored> clusters = database.transact(ClusterRows::all);
        dropWatches(clusters.stream().map(ClusterRows.Stored::name).collect(Collectors.toSet()));
        clusters.stream().filter(cluster -> observed.add(cluster.name())).forEach(this::observeInBackground);
    }

    /**
     * Observes a cluster in the background, so that a cluster that hangs does not delay the others. A cluster is never listed twice at a
     * time.
     */
    private void observeInBackground(ClusterRows.Stored cluster) {
        threads.execute(() -> {
            try {
                observe(cluster);
                wakeups.driver();
                wakeups.admission();
            } catch (RuntimeException failure) {
                LOG.warnf("cluster %s could not be observed: %s", cluster.name(), failure);
            } finally {
                observed.remove(cluster.name());
            }
        });
    }

    private void observe(ClusterRows.Stored cluster) {
        boolean isMine =
                database.transact(sql -> ClusterRows.observe(sql, cluster.name(), replica, period.multipliedBy(3)));
        if (isMine) {
            watch(cluster);
            observer.observe(cluster);
        } else {
            dropWatch(cluster.name());
        }
    }

    private synchronized void watch(ClusterRows.Stored cluster) {
        Watched known = watches.get(cluster.name());
        if (known != null && known.version() == cluster.version()) {
            return;
        }
        dropWatch(cluster.name());
        try {
            FleetWatch watch = suppliers.fleet(cluster).watch(observation -> {
                observer.take(observation);
                wakeups.driver();
                wakeups.admission();
            });
            watches.put(cluster.name(), new Watched(cluster.version(), watch));
        } catch (FleetException failure) {
            LOG.debugf("cluster %s is not watched: %s", cluster.name(), failure.getMessage());
        }
    }

    private synchronized void dropWatches(Set<String> kept) {
        List.copyOf(watches.keySet()).stream()
                .filter(name -> !kept.contains(name))
                .forEach(this::dropWatch);
    }

    private synchronized void dropWatch(String cluster) {
        Watched known = watches.remove(cluster);
        if (known != null) {
            known.watch().close();
        }
    }

    /** Waits for the running observations. */
    @Override
    public void close() {
        threads.close();
        dropWatches(Set.of());
        suppliers.close();
    }
}
