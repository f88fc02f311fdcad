package dev.outpost.models.pipeline;

import dev.outpost.models.pipeline.LayerDivision.Part;
import dev.outpost.models.pipeline.StageFaultLocator.Sentence;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stages of a decoder on machines that may be lost or may send wrong data. If that happens, the layers move to the other
 * machines, and texts continue there. Thread-safe.
 */
final class StageSupervisor implements AutoCloseable {
    /** The number of failed steps after which a text fails. Only steps count for which no machine could be excluded. */
    private static final int MAX_FAILURES = 2;

    private static final long FREE_MILLIS = 1000;

    private final StagePlanner planner;
    private final StageWorkers workers;
    /** Guards the recording of steps, and the fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Set<RelocatableSteps> active = new LinkedHashSet<>();
    private List<Part> parts;
    private boolean isMoving;
    private boolean hasMore;
    /**
     * The current deployment, which is written under the lock. {@link StageWatch} reads it without the lock, because recording may hold the
     * lock and wait for a machine.
     */
    private volatile StageDeployment deployment;

    private volatile @Nullable OutpostException broken;
    private volatile boolean isClosed;

    /** Divides the layers over the machines, and waits until each has loaded its own. */
    StageSupervisor(StagePlanner planner, StageWorkers workers) {
        this.planner = planner;
        this.workers = workers;
        List<StageMachine> machines = workers.present();
        this.parts = planner.divide(machines);
        this.deployment = planner.open(machines, parts);
    }

    ReentrantLock lock() {
        return lock;
    }

    List<String> plan() {
        lock.lock();
        try {
            return StagePlanner.lines(parts, deployment.machines());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the deployment, or null after {@link #close}. */
    @Nullable
    StageDeployment current() {
        return isClosed ? null : deployment;
    }

    boolean isBroken() {
        return broken != null;
    }

    /** True if texts wait for steps, or recording holds the lock and may wait for a machine. Does not wait. */
    boolean isAwaited() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return !isMoving && active.stream().anyMatch(RelocatableSteps::isUnderWay);
        } finally {
            lock.unlock();
        }
    }

    // ---- texts

    /** Registers texts that begin. Returns null while stages move; the texts are restarted afterwards. The caller holds the lock. */
    @Nullable
    StageDeployment enter(RelocatableSteps steps) {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "generate: the model is closed");
        }
        OutpostException reason = broken;
        if (reason != null) {
            throw new OutpostException(reason.kind(), reason.getMessage(), reason);
        }
        active.add(steps);
        return isMoving ? null : deployment;
    }

    /** Removes texts that have ended. The caller holds the lock. */
    void left(RelocatableSteps steps) {
        active.remove(steps);
    }

    /** Handles steps that failed. The caller holds the lock. */
    void failed(RelocatableSteps steps, @Nullable StageDeployment where, Throwable problem) {
        if (where != deployment || isMoving) {
            // A move is under way or done; it restarts these texts.
            return;
        }
        if (isLoss(problem)) {
            Thread.ofVirtual().name("outpost-lan-move").start(() -> move(where, problem));
        } else {
            steps.fail(problem);
        }
    }

    /**
     * True if a lost machine may have caused the problem. If a machine is gone, the others report that its data did not arrive. The session
     * of a machine that sends invalid messages is closed, so the machine counts as lost.
     */
    static boolean isLoss(Throwable problem) {
        return problem instanceof MachineLostException
                || problem instanceof OutpostException told
                        && (told.kind() == FaultKind.EXTERNAL || told.kind() == FaultKind.INTERNAL);
    }

    // ---- moves

    /** Adds a machine that was lost and can be reached again. */
    void join(StageMachine gone, StageMachine back) {
        lock.lock();
        try {
            if (!isClosed && !isMoving && workers.join(gone, back)) {
                hasMore = true;
                return;
            }
        } finally {
            lock.unlock();
        }
        back.whenLeft().run();
    }

    /**
     * Returns true if a lost machine is reachable again, no texts are active, and layers would move to it. The caller
     * must then call {@link #move}.
     */
    boolean claimMove() {
        lock.lock();
        try {
            if (!hasMore || !active.isEmpty() || isMoving || isClosed) {
                return false;
            }
            hasMore = false;
            return broken != null || !plan().equals(planOfAll());
        } catch (OutpostException ignored) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private List<String> planOfAll() {
        List<StageMachine> machines = workers.present();
        List<Part> division = planner.divideAgain(machines);
        return StagePlanner.lines(
                division,
                division.stream().map(part -> machines.get(part.worker())).toList());
    }

    /**
     * Moves the layers to the remaining machines, and restarts all texts there. Waits for the machine.
     *
     * @param problem the failure of a step, if all machines may be present, or null
     */
    void move(@Nullable StageDeployment before, @Nullable Throwable problem) {
        List<String> gone = new ArrayList<>(unblock());
        if (!begin(before)) {
            return;
        }
        closeWithin(before);
        gone.addAll(workers.leaveLost());
        if (gone.isEmpty() && problem != null) {
            judge(before, problem);
            // Trial values that did not arrive left failures on their machines, which do not matter any more.
            gone.addAll(workers.leaveLost());
        }
        resume(gone);
    }

    /**
     * Ends sessions of machines that do not respond, because recording may hold the lock while it waits for such a
     * machine.
     */
    private List<String> unblock() {
        try {
            if (lock.tryLock(FREE_MILLIS, TimeUnit.MILLISECONDS)) {
                lock.unlock();
                return List.of();
            }
            return workers.leaveLost();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private boolean begin(@Nullable StageDeployment before) {
        lock.lock();
        try {
            if (isClosed || isMoving || before == null || deployment != before) {
                return false;
            }
            isMoving = true;
            hasMore = false;
            active.forEach(RelocatableSteps::leave);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static void closeWithin(StageDeployment before) {
        Thread closing = Thread.ofVirtual().name("outpost-lan-close").start(() -> closeQuietly(before));
        try {
            closing.join(StageWorkers.TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(StageDeployment before) {
        try {
            before.close();
        } catch (OutpostException ignored) {
            // A lost machine holds no memory of these stages.
        }
    }

    /** Excludes a machine after a failure while all machines respond, because one of them sends wrong data, or a connection is bad. */
    private void judge(StageDeployment before, Throwable problem) {
        Optional<Sentence> tried = StageFaultLocator.tried(before, workers.present());
        if (tried.isPresent()) {
            workers.leaveOut(tried.get().machine(), tried.get().reason());
        } else {
            giveUpRepeated(before, problem);
        }
    }

    /**
     * After repeated failures, excludes a machine that another machine reports, even if it passes the trial. Without a report the texts
     * fail.
     */
    private void giveUpRepeated(StageDeployment before, Throwable problem) {
        lock.lock();
        try {
            boolean isRepeated = false;
            for (RelocatableSteps steps : active) {
                isRepeated |= steps.failedWithoutLoss() >= MAX_FAILURES;
            }
            if (!isRepeated) {
                return;
            }
            Optional<Sentence> accused = StageFaultLocator.accused(before, problem);
            if (accused.isPresent()) {
                workers.leaveOut(accused.get().machine(), accused.get().reason());
                return;
            }
            for (RelocatableSteps steps : List.copyOf(active)) {
                if (steps.failuresWithoutLoss() >= MAX_FAILURES) {
                    steps.fail(problem);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void resume(List<String> gone) {
        StageDeployment next = null;
        OutpostException problem = null;
        List<Part> division = List.of();
        try {
            List<StageMachine> machines = workers.present();
            division = planner.divideAgain(machines);
            next = planner.open(machines, division);
        } catch (RuntimeException failure) {
            problem = new OutpostException(FaultKind.EXTERNAL, "lan: " + missing(gone) + failure.getMessage(), failure);
        }
        settle(next, division, problem);
    }

    private String missing(List<String> gone) {
        String lost = gone.isEmpty() ? "" : "lost " + String.join(", ", gone) + ": ";
        List<String> leftOut = workers.leftOut();
        return lost + (leftOut.isEmpty() ? "" : "left out " + String.join("; ", leftOut) + ": ");
    }

    private void settle(@Nullable StageDeployment next, List<Part> division, @Nullable OutpostException problem) {
        lock.lock();
        try {
            isMoving = false;
            broken = problem;
            if (next != null && !isClosed) {
                deployment = next;
                parts = division;
                List.copyOf(active).forEach(steps -> steps.restart(next));
                return;
            }
            if (problem != null) {
                List.copyOf(active).forEach(steps -> steps.fail(problem));
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            closeQuietly(next);
        }
    }

    /** Releases weights, caches and machines. Texts that are being generated fail. Waits a few seconds at most. */
    @Override
    public void close() {
        unblock();
        StageDeployment last;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            OutpostException closed = new OutpostException(FaultKind.USER, "generate: the model was closed");
            List.copyOf(active).forEach(steps -> steps.fail(closed));
            last = deployment;
        } finally {
            lock.unlock();
        }
        closeWithin(last);
        workers.close();
    }
}
