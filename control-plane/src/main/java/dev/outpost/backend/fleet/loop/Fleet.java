package dev.outpost.backend.fleet.loop;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The loops of one replica. */
public final class Fleet implements AutoCloseable {
    private final List<Reconciler> reconcilers;
    private final Wakeups wakeups;
    private final List<ReconcileLoop> loops = new CopyOnWriteArrayList<>();

    /** @param reconcilers the work of the loops; they are closed in this order after the loops have ended */
    public Fleet(List<Reconciler> reconcilers, Wakeups wakeups) {
        this.reconcilers = List.copyOf(reconcilers);
        this.wakeups = wakeups;
    }

    public void start() {
        for (Reconciler reconciler : reconcilers) {
            ReconcileLoop loop = new ReconcileLoop(reconciler.name(), reconciler.period(), reconciler::round);
            wakeups.connect(reconciler.name(), loop::wake);
            loops.add(loop);
        }
        loops.forEach(ReconcileLoop::start);
    }

    /** Starts another loop, which ends with the others. */
    public void start(ReconcileLoop other) {
        loops.add(other.start());
    }

    /** Returns the names of the loops that do not work, each with the reason. */
    public Map<String, String> silentLoops() {
        Map<String, String> silent = new TreeMap<>();
        loops.forEach(loop -> loop.silence()
                .ifPresent(time -> silent.put(
                        loop.name(),
                        "has not run for " + time.toSeconds() + " s"
                                + loop.failure()
                                        .map(why -> "; its last run failed: " + why)
                                        .orElse(""))));
        return silent;
    }

    /** True if the loops were started. */
    public boolean isStarted() {
        return !loops.isEmpty();
    }

    @Override
    public void close() {
        reconcilers.forEach(Reconciler::stop);
        loops.forEach(ReconcileLoop::stop);
        loops.forEach(ReconcileLoop::close);
        reconcilers.forEach(Reconciler::close);
    }
}
