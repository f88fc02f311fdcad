package dev.outpost.simulated.kubernetes.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the API fail clients. What is part of the cluster itself is not met. */
public final class ApiFaults {
    /** A fault that waits for requests. */
    public static final class Injected {
        private final Fault fault;
        private final AtomicInteger left;

        private Injected(Fault fault) {
            this.fault = fault;
            this.left = new AtomicInteger(fault.times());
        }

        /** How many requests it has met. */
        public int met() {
            return fault.times() - left.get();
        }

        /** Meets no more requests. */
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

    /** Of several faults that a request would meet it meets the one that was injected first. */
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

    /** All watches that are open stay so and tell nothing any more, as when a firewall has forgotten their connections. */
    public void silenceWatches() {
        server.silenceWatches();
    }

    /** Ends all watches by an error event (410), and forgets the history by which they could continue. */
    public void expireWatches() {
        server.expireWatches();
    }

    // ---- the server

    /** The server refuses connections, and those there are break, until {@link #comeBack}. */
    public void goAway() {
        door.close();
    }

    /** Serves again, on the same port. */
    public void comeBack() {
        door.open();
    }

    /** From now on clients are let in by another token only; the one before gets 401. */
    public String rotateToken() {
        return door.rotateToken();
    }

    /** The cluster's clock is ahead of ours by so much, or behind if it is negative. */
    public void skewClock(Duration ahead) {
        server.time().skew(ahead);
    }
}
