package dev.outpost.models;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks for machines of which nothing is heard, for those that are there again, and for texts of which nothing is computed. A thread of
 * its own.
 */
final class StageWatch implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int LOOKS_FOR_LOST = 8;

    private final StageSupervisor life;
    private final StageWorkers crew;
    private final Duration patience;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("outpost-lan-model").unstarted(this::watch);
    private long progress;
    private long progressNanos = System.nanoTime();

    private StageWatch(StageSupervisor life, StageWorkers crew, Duration patience) {
        this.life = life;
        this.crew = crew;
        this.patience = patience;
    }

    /** @param patience how long texts wait for machines of which none has computed anything */
    static StageWatch start(StageSupervisor life, StageWorkers crew, Duration patience) {
        StageWatch watch = new StageWatch(life, crew, patience);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            for (int look = 1; true; look++) {
                Thread.sleep(LOOK);
                if (!look(look % LOOKS_FOR_LOST == 0)) {
                    return;
                }
            }
        } catch (InterruptedException closed) {
            // The model is closed.
        }
    }

    /** Whether to go on. */
    private boolean look(boolean isForLost) {
        StageDeployment current = life.current();
        if (current == null) {
            return false;
        }
        if (!life.isBroken()
                && current.machines().stream().anyMatch(each -> each.isLost().getAsBoolean())) {
            life.move(current, Optional.empty());
        } else if (isStill(current)) {
            life.move(current, Optional.of(still()));
        }
        if (isForLost) {
            takeBack();
        }
        if (life.isWorthMoving()) {
            life.move(life.current(), Optional.empty());
        }
        return true;
    }

    private boolean isStill(StageDeployment current) {
        long now = System.nanoTime();
        long computed = current.machines().stream()
                .mapToLong(each -> each.machine().stats().kernels())
                .sum();
        if (computed != progress || !life.isAwaited()) {
            progress = computed;
            progressNanos = now;
        }
        boolean isStill = now - progressNanos > patience.toNanos();
        progressNanos = isStill ? now : progressNanos;
        return isStill;
    }

    private OutpostException still() {
        return new OutpostException(
                FaultKind.EXTERNAL,
                "lan: no machine has computed anything for " + patience
                        + "; one hangs, or needs longer than PipelineOptions.patience");
    }

    private void takeBack() {
        for (StageMachine gone : crew.lost()) {
            try {
                gone.again().get().ifPresent(back -> life.join(gone, back));
            } catch (RuntimeException goneAgain) {
                // It is looked for again, unless the caller has closed what finds it.
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
