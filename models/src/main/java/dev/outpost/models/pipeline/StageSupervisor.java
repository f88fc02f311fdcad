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
 * The stages of a decoder on machines that may be lost, or may not do what they are told: then the layers move to the others, and texts
 * go on there. Thread-safe.
 */
final class StageSupervisor implements AutoCloseable {
    /** A text whose steps fail so often although no machine can be left out is given up. */
    private static final int MAX_FAILURES = 2;

    private static final long FREE_MILLIS = 1000;

    private final StagePlanner planner;
    private final StageWorkers workers;
    /** Guards recording, and what follows. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Set<RelocatableSteps> active = new LinkedHashSet<>();
    private List<Part> parts;
    private boolean isMoving;
    private boolean hasMore;
    /** Written under the lock. Read without it by {@link StageWatch}, for recording may hold it and wait for a machine. */
    private volatile StageDeployment deployment;

    private volatile @Nullable OutpostException broken;
    private volatile boolean isClosed;

    /** Divides the layers over the machines and waits until each has loaded its own. */
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

    /** Null where it is closed. */
    @Nullable
    StageDeployment current() {
        return isClosed ? null : deployment;
    }

    boolean isBroken() {
        return broken != null;
    }

    /** Whether texts wait for steps now, or their recording for a machine. Does not wait. */
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

    /** Texts begin. The lock is held. Null while stages move; they are restarted then. */
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

    /** Texts end. The lock is held. */
    void left(RelocatableSteps steps) {
        active.remove(steps);
    }

    /** Steps could not be computed. The lock is held. */
    void failed(RelocatableSteps steps, @Nullable StageDeployment where, Throwable problem) {
        if (where != deployment || isMoving) {
            // They are restarted, or were.
            return;
        }
        if (isLoss(problem)) {
            Thread.ofVirtual().name("outpost-lan-move").start(() -> move(where, Optional.of(problem)));
        } else {
            steps.fail(problem);
        }
    }

    /**
     * Whether a problem may be that of a machine. Where one is gone, the others say that what it was to send did not come; the session
     * of one that answers nonsense is over.
     */
    static boolean isLoss(Throwable problem) {
        return problem instanceof MachineLostException
                || problem instanceof OutpostException told
                        && (told.kind() == FaultKind.EXTERNAL || told.kind() == FaultKind.INTERNAL);
    }

    // ---- moves

    /** A machine that was lost is there again. */
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

    /** A machine that is there again is used when no text has to be computed again for it, and layers would move to it. */
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
     * Moves the layers to the machines that are left, and has all texts go on there. Waits.
     *
     * @param problem the failure of a step, where all machines may be there
     */
    void move(@Nullable StageDeployment before, Optional<Throwable> problem) {
        List<String> gone = new ArrayList<>(unblock());
        if (!begin(before)) {
            return;
        }
        closeWithin(before);
        gone.addAll(workers.leaveLost());
        if (gone.isEmpty() && problem.isPresent()) {
            judge(before, problem.get());
            // The values of a trial that did not arrive have failed on their machines, which is of no interest any
            // more.
            gone.addAll(workers.leaveLost());
        }
        resume(gone);
    }

    /** Recording may wait for room on a machine that says nothing. It goes on when the session with that one ends. */
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
            // A machine that is gone holds nothing any more.
        }
    }

    /** All machines answer, so one of them does not do what it was told, or the way between two of them is bad. */
    private void judge(StageDeployment before, Throwable problem) {
        Optional<Sentence> tried = StageFaultLocator.tried(before, workers.present());
        if (tried.isPresent()) {
            workers.leaveOut(tried.get().machine(), tried.get().reason());
        } else {
            giveUpRepeated(before, problem);
        }
    }

    /** A machine that is honest while it is tried is left out on the word of another one, the second time. */
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

    /** Lets go of weights, caches and machines; texts that are being generated fail. Waits a few seconds at most. */
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
