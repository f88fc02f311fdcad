package dev.outpost.models.pipeline;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;

/**
 * Checks for lost machines, for machines that are reachable again, and for texts that make no progress. Runs on its
 * own thread.
 */
final class StageWatch implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int LOOKS_FOR_LOST = 8;

    private final StageSupervisor supervisor;
    private final StageWorkers workers;
    private final Duration timeout;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("outpost-lan-model").unstarted(this::watch);
    private long progress;
    private long progressNanos = System.nanoTime();

    private StageWatch(StageSupervisor supervisor, StageWorkers workers, Duration timeout) {
        this.supervisor = supervisor;
        this.workers = workers;
        this.timeout = timeout;
    }

    /** @param timeout the maximum time that texts wait while no machine computes anything */
    static StageWatch start(StageSupervisor supervisor, StageWorkers workers, Duration timeout) {
        StageWatch watch = new StageWatch(supervisor, workers, timeout);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            for (int look = 1; true; look++) {
                Thread.sleep(LOOK);
                if (!check(look % LOOKS_FOR_LOST == 0)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            // The model is closed.
        }
    }

    /** Checks once. Returns false if the model is closed. */
    private boolean check(boolean isForLost) {
        StageDeployment current = supervisor.current();
        if (current == null) {
            return false;
        }
        if (!supervisor.isBroken()
                && current.machines().stream().anyMatch(each -> each.isLost().getAsBoolean())) {
            supervisor.move(current, null);
        } else if (detectStall(current)) {
            supervisor.move(current, still());
        }
        if (isForLost) {
            rejoin();
        }
        if (supervisor.claimMove()) {
            supervisor.move(supervisor.current(), null);
        }
        return true;
    }

    private boolean detectStall(StageDeployment current) {
        long now = System.nanoTime();
        long computed = current.machines().stream()
                .mapToLong(each -> each.machine().stats().kernels())
                .sum();
        if (computed != progress || !supervisor.isAwaited()) {
            progress = computed;
            progressNanos = now;
        }
        boolean isStill = now - progressNanos > timeout.toNanos();
        progressNanos = isStill ? now : progressNanos;
        return isStill;
    }

    private OutpostException still() {
        return new OutpostException(
                FaultKind.EXTERNAL,
                "lan: no machine has computed anything for " + timeout
                        + "; one hangs, or needs longer than DecoderPipelineOptions.timeout");
    }

    private void rejoin() {
        for (StageMachine gone : workers.lost()) {
            try {
                gone.again().get().ifPresent(back -> supervisor.join(gone, back));
            } catch (RuntimeException ignored) {
                // The next check tries again, unless the caller has closed the object that finds the machine.
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
