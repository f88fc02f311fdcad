package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The API of a cluster, without a network: one lock, one order of events. Clients use the {@link FrontDoor}; the cluster's own parts use
 * {@link #objects} and meet no faults.
 */
public final class ApiServer implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore toCollect = new Semaphore(0);
    private final ClusterTime time;
    private final Journal journal = new Journal();
    private final Watches watches;
    private final Kinds kinds = new Kinds();
    private final ClientPermissions permissions = new ClientPermissions("outpost-test");
    private final ApiRequests requests;
    private final ClusterObjects objects;
    private final Thread collector;

    public ApiServer(InstantSource clock) {
        this.time = new ClusterTime(clock);
        ObjectStore store = new ObjectStore(time, this::changed);
        Deletion deletion = new Deletion(store, time);
        Writing writing = new Writing(store, new AdmissionControl(store), time);
        this.watches = new Watches(store, journal);
        this.requests = new ApiRequests(store, writing, deletion, kinds, permissions);
        this.objects = new ClusterObjects(this, store, writing, deletion);
        GarbageCollector garbage = new GarbageCollector(store, deletion);
        this.collector = Thread.ofVirtual().name("test-garbage-collector").start(() -> collectUntilClosed(garbage));
    }

    public ClusterTime time() {
        return time;
    }

    public Kinds kinds() {
        return kinds;
    }

    /** The operations of the cluster's own parts on objects. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Forbids this to the clients' user from now on; {@code resource} is spelled as in roles, such as {@code pods/log}. */
    public void deny(Verb verb, String resource) {
        permissions.deny(verb, resource);
    }

    // ---- requests of clients

    /** Returns the server's answer for a path that is not a resource. */
    ApiResponse describe(String path) {
        try {
            return ApiResponse.ok(kinds.describe(path));
        } catch (ApiStatusException refusal) {
            return refusal.answer();
        }
    }

    /** Answers a request other than a watch or a stream. */
    ApiResponse handle(ApiRequest request) {
        try {
            return locked(() -> requests.answer(request));
        } catch (ApiStatusException refusal) {
            return refusal.answer();
        }
    }

    /** Refuses requests that the clients' user may not make, and requests for unknown resources. */
    void check(ApiRequest request) {
        requests.check(request);
    }

    ObjectNode existing(ResourcePath path) {
        return locked(() -> requests.existing(path));
    }

    // ---- watches

    /** Opens a watch. The sink is called under the lock, the first time before this returns. */
    Watcher watch(ApiRequest request, Watcher.Sink sink) {
        return locked(() -> watches.open(request, sink));
    }

    void leave(Watcher watcher) {
        locked(() -> {
            watches.leave(watcher);
            return watcher;
        });
    }

    public int openWatches() {
        return locked(watches::count);
    }

    void closeWatches() {
        locked(() -> {
            watches.closeAll();
            return watches;
        });
    }

    void silenceWatches() {
        locked(() -> {
            watches.silenceAll();
            return watches;
        });
    }

    void expireWatches() {
        locked(() -> {
            watches.expireAll();
            return watches;
        });
    }

    /** Calls the follower for every change, under the lock, so the follower must not wait. */
    void follow(Consumer<Change> follower) {
        locked(() -> {
            journal.follow(follower);
            return journal;
        });
    }

    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- garbage collection

    private void changed(Change change) {
        journal.add(change);
        if (GarbageCollector.isOccasion(change)) {
            toCollect.release();
        }
    }

    private void collectUntilClosed(GarbageCollector garbage) {
        try {
            while (true) {
                toCollect.acquire();
                toCollect.drainPermits();
                locked(garbage::collect);
            }
        } catch (InterruptedException interrupted) {
            // Closing this object interrupts the thread.
        }
    }

    @Override
    public void close() {
        collector.interrupt();
        closeWatches();
    }
}
