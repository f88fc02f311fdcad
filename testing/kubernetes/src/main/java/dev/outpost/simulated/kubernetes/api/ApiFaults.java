package dev.outpost.simulated.kubernetes.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Injects faults into the requests of clients. The cluster's own parts meet none. */
public final class ApiFaults {
    /** A fault that waits for requests. */
    public static final class Injected {
        private final Fault fault;
        private final AtomicInteger left;

        private Injected(Fault fault) {
            this.fault = fault;
            this.left = new AtomicInteger(fault.times());
        }

        /** Returns the number of requests that it has met. */
        public int met() {
            return fault.times() - left.get();
        }

        /** Ends the fault. */
        public void clear() {
            left.set(0);
        }

        private boolean takes(ApiRequest request) {
            return fault.which().test(request) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
        }
    }

    private final ApiServer server;
    private final FrontDoor door;
    private final List<Injected> injected = new CopyOnWriteArrayList<>();

    ApiFaults(ApiServer server, FrontDoor door) {
        this.server = server;
        this.door = door;
    }

    /** If several faults match a request, the first injected one applies. */
    public Injected inject(Fault fault) {
        Injected waiting = new Injected(fault);
        injected.add(waiting);
        return waiting;
    }

    Optional<Fault.Effect> next(ApiRequest request) {
        return injected.stream()
                .filter(fault -> fault.takes(request))
                .findFirst()
                .map(taken -> taken.fault.effect());
    }

    // ---- watches

    /** Ends all watches, as servers do from time to time. */
    public void closeWatches() {
        server.closeWatches();
    }

    /** Makes all open watches silent: they stay open, as if a firewall had forgotten their connections. */
    public void silenceWatches() {
        server.silenceWatches();
    }

    /** Ends all watches by an error event (410), and forgets the history by which they could continue. */
    public void expireWatches() {
        server.expireWatches();
    }

    // ---- the server

    /** Makes the server refuse connections and break the existing ones, until {@link #comeBack}. */
    public void goAway() {
        door.close();
    }

    /** Serves again, on the same port. */
    public void comeBack() {
        door.open();
    }

    /** Accepts clients by another token only from now on; the previous token gets 401. */
    public String rotateToken() {
        return door.rotateToken();
    }

    /** Sets the time by which the cluster's clock is ahead of ours; negative if it is behind. */
    public void skewClock(Duration ahead) {
        server.time().skew(ahead);
    }
}
