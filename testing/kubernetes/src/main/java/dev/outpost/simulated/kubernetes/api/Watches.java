package dev.outpost.simulated.kubernetes.api;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The open watches. Used under the API server's lock only. */
final class Watches {
    private final ObjectStore store;
    private final Journal journal;
    private final Set<Watcher> open = new LinkedHashSet<>();

    Watches(ObjectStore store, Journal journal) {
        this.store = store;
        this.journal = journal;
    }

    /** Begins a watch as requested: after a version, or with the existing objects. */
    Watcher open(ApiRequest request, Watcher.Sink sink) {
        Watcher watcher = new Watcher(request, sink);
        String version = request.option("resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            store.list(request.path()).forEach(watcher::present);
        } else if (!replay(Long.parseLong(version), watcher)) {
            return watcher;
        }
        open.add(watcher);
        journal.follow(watcher);
        return watcher;
    }

    /** Replays the changes after a version. Returns false if some are not known any more; the watch has failed then. */
    private boolean replay(long version, Watcher watcher) {
        try {
            journal.since(version).forEach(watcher);
            return true;
        } catch (ApiStatusException refusal) {
            watcher.fail(refusal);
            return false;
        }
    }

    void leave(Watcher watcher) {
        open.remove(watcher);
        journal.leave(watcher);
    }

    int count() {
        return open.size();
    }

    void closeAll() {
        endAll(Watcher::end);
    }

    /** Makes the watches silent; they stay open. */
    void silenceAll() {
        open.forEach(journal::leave);
    }

    /** Ends all watches with an error, and forgets the history that would let them continue. */
    void expireAll() {
        long last = store.version();
        long floor = store.nextVersion();
        endAll(watcher -> watcher.fail(ApiStatusException.expired(last, floor)));
        journal.expire(floor);
    }

    private void endAll(Consumer<Watcher> how) {
        List.copyOf(open).forEach(watcher -> {
            leave(watcher);
            how.accept(watcher);
        });
    }
}
