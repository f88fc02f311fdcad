package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Reconciler;
import dev.outpost.backend.fleet.loop.Wakeups;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/** Works on due machines concurrently, so that a slow cluster does not delay the others. */
public final class MachineDriver implements Reconciler {
    private static final Logger LOG = Logger.getLogger(MachineDriver.class);

    /** The maximum number of concurrent calls, because each may need a database connection for a moment. */
    private static final int CALLS = 128;

    private static final int BATCH = 16;

    /**
     * The number of concurrent calls of one cluster at which no more of its machines are claimed. So a cluster that
     * hangs leaves enough calls for other clusters.
     */
    private static final int CALLS_OF_CLUSTER = 32;

    private final MachineReconciler machines;
    private final Semaphore calls = new Semaphore(CALLS);
    private final Map<String, Integer> callsOfClusters = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public MachineDriver(MachineReconciler machines) {
        this.machines = machines;
    }

    @Override
    public String name() {
        return Wakeups.DRIVER;
    }

    @Override
    public Duration period() {
        return SOON;
    }

    @Override
    public void round() {
        boolean isMore = true;
        while (isMore && calls.tryAcquire(BATCH)) {
            List<MachineReconciler.Claim> claims = claim();
            calls.release(BATCH - claims.size());
            claims.forEach(claim -> claim.cluster().ifPresent(name -> callsOfClusters.merge(name, 1, Integer::sum)));
            claims.forEach(claim -> threads.execute(() -> work(claim)));
            isMore = claims.size() == BATCH;
        }
    }

    private List<MachineReconciler.Claim> claim() {
        try {
            return machines.claim(BATCH, busyClusters());
        } catch (RuntimeException failure) {
            calls.release(BATCH);
            throw failure;
        }
    }

    private List<String> busyClusters() {
        return callsOfClusters.entrySet().stream()
                .filter(cluster -> cluster.getValue() >= CALLS_OF_CLUSTER)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void work(MachineReconciler.Claim claim) {
        try {
            machines.work(claim);
        } catch (RuntimeException failure) {
            // The row is due again when its lock has expired.
            LOG.warnf("machine %s: %s", claim.machine(), failure);
        } finally {
            claim.cluster()
                    .ifPresent(name ->
                            callsOfClusters.computeIfPresent(name, (cluster, count) -> count == 1 ? null : count - 1));
            calls.release();
        }
    }

    /** Waits for the running calls. */
    @Override
    public void close() {
        threads.close();
    }
}
