package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.pipeline.WorkerFaultLocator.Sentence;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.WorkerSpeed;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A running pipeline: its plan, its stages on machines, and the batches under way. Thread-safe. */
public final class PipelineEngine implements AutoCloseable {
    /** A batch fails after this number of starts. */
    private static final int MAX_ATTEMPTS = 8;

    /** A batch fails after this number of failures while all machines respond: one of them sends wrong data. */
    private static final int MAX_FAILURES = 2;

    private final ModelGraph model;
    private final PipelineSettings settings;
    private final Semaphore room;
    private final ReentrantLock lock = new ReentrantLock();
    /** The batches that have not completed, by number. The lock guards this field and those below. */
    private final SequencedMap<Long, PipelineBatch> underWay = new LinkedHashMap<>();

    private final PipelineWorkers pipelineWorkers;
    private final StageDeployer deployer;
    private final MachineLossMonitor watch = new MachineLossMonitor(this::moveIfAnyIsGone, this::rejoin);
    /** The reason why no machine is left that can compute; null while some machine can. */
    private OutpostException broken;

    private PipelinePlan plan;
    private PipelineDeployment deployment;
    private long nextNumber;
    private boolean isClosed;
    /** True while stages move to other machines. Batches wait meanwhile. */
    private boolean isMoving;

    private PipelineEngine(
            ModelGraph model, List<PipelineWorker> workers, PipelineSettings settings, PipelinePlan plan) {
        this.model = model;
        this.settings = settings;
        this.room = new Semaphore(settings.maxInFlight(), true);
        this.pipelineWorkers = new PipelineWorkers(workers, plan.workers());
        this.deployer = new StageDeployer(model, settings, this::failed);
        this.plan = plan;
        this.deployment = deployer.deploy(plan, workers);
        watch.start();
    }

    /** Measures the machines, divides the model, and waits until each stage is open. */
    public static PipelineEngine open(ModelGraph model, List<PipelineWorker> workers, PipelineSettings settings) {
        boolean isOpen = false;
        try {
            PipelineEngine engine = new PipelineEngine(model, workers, settings, divide(model, workers, settings));
            isOpen = true;
            return engine;
        } finally {
            if (!isOpen) {
                PipelineWorkers.closeOwn(workers);
            }
        }
    }

    /** Measures the machines, and returns the division of a model over them. */
    public static PipelinePlan divide(ModelGraph model, List<PipelineWorker> workers, PipelineSettings settings) {
        return ModelDivision.measured(model, workers, settings);
    }

    public PipelinePlan plan() {
        lock.lock();
        try {
            return plan;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the names of lost machines that are not reachable again. */
    public List<String> lost() {
        return pipelineWorkers.lost().stream().map(PipelineWorker::name).toList();
    }

    /** Returns a sentence for each excluded machine. */
    public List<String> leftOut() {
        return pipelineWorkers.leftOut();
    }

    public int mostInFlight() {
        return settings.maxInFlight();
    }

    // ---- batches

    /**
     * Starts a batch. Waits while the maximum number of batches is under way. Fails at once if the inputs are
     * invalid.
     */
    public CompletableFuture<SequencedMap<String, HostTensor>> begin(Map<String, HostTensor> inputs) {
        Map<String, TensorType> types = model.types(model.check(inputs));
        for (String output : model.index().outputs()) {
            if (!types.containsKey(output)) {
                throw new OnnxException("the type of the output " + output + " is not known before it is computed");
            }
        }
        acquire();
        lock.lock();
        try {
            if (isClosed) {
                room.release();
                throw new OutpostException(FaultKind.USER, "onnx: the pipeline is closed");
            }
            if (broken != null) {
                room.release();
                throw new OutpostException(broken.kind(), broken.getMessage(), broken);
            }
            PipelineBatch batch = new PipelineBatch(nextNumber++, inputs, types);
            underWay.put(batch.number(), batch);
            batch.answer().whenComplete((answer, failure) -> done(batch));
            if (!isMoving) {
                deployment.submit(batch);
            }
            return batch.answer();
        } finally {
            lock.unlock();
        }
    }

    private void acquire() {
        try {
            room.acquire();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "onnx: interrupted while waiting for room", interrupted);
        }
    }

    private void done(PipelineBatch batch) {
        lock.lock();
        try {
            underWay.remove(batch.number());
        } finally {
            lock.unlock();
        }
        room.release();
    }

    // ---- loss

    private void failed(PipelineDeployment where, PipelineBatch batch, Throwable problem) {
        if (isLoss(problem) && batch.attempts() < MAX_ATTEMPTS) {
            Thread.ofVirtual().name("outpost-onnx-move").start(() -> move(where, problem));
            return;
        }
        batch.answer().completeExceptionally(problem);
        if (problem instanceof OutpostException told && told.kind() == FaultKind.INTERNAL) {
            // The session of a machine that sends invalid messages is closed, so the move treats the machine as lost.
            Thread.ofVirtual().name("outpost-onnx-move").start(() -> move(where, null));
        }
    }

    /** True if a lost machine may have caused the problem. If a machine is gone, the others report that its data did not arrive. */
    private static boolean isLoss(Throwable problem) {
        return problem instanceof MachineLostException
                || problem instanceof OutpostException told && told.kind() == FaultKind.EXTERNAL;
    }

    private void moveIfAnyIsGone() {
        PipelineDeployment current = current();
        if (current != null && pipelineWorkers.isAnyGone(current)) {
            move(current, null);
        }
    }

    /** Measures machines that are reachable again, and divides the model over all machines again. */
    private void rejoin() {
        for (PipelineWorker worker : lostOnes()) {
            try {
                worker.again().get().ifPresent(back -> join(worker, back));
            } catch (RuntimeException ignored) {
                // The next check tries again, unless the caller has closed the workers.
            }
        }
    }

    private List<PipelineWorker> lostOnes() {
        lock.lock();
        try {
            return isClosed || isMoving ? List.of() : pipelineWorkers.lost();
        } finally {
            lock.unlock();
        }
    }

    private void join(PipelineWorker gone, PipelineWorker back) {
        boolean isJoined = false;
        try {
            WorkerSpeed speed = Calibration.measure(back.machine(), back.name(), back.memoryBytes());
            isJoined = add(gone, back, speed);
        } finally {
            if (!isJoined) {
                PipelineWorkers.leave(back);
            }
        }
        move(current(), null);
    }

    private boolean add(PipelineWorker gone, PipelineWorker back, WorkerSpeed speed) {
        lock.lock();
        try {
            if (isClosed || isMoving) {
                return false;
            }
            pipelineWorkers.rejoin(gone, back, speed);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private PipelineDeployment current() {
        lock.lock();
        try {
            return isClosed ? null : deployment;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves all stages to the remaining machines, and starts the incomplete batches again.
     *
     * @param problem the failure of a batch that looks like the loss of a machine, or null
     */
    private void move(PipelineDeployment before, @Nullable Throwable problem) {
        lock.lock();
        try {
            // A loss fails many batches. The first one moves the stages, and all batches start again.
            if (isClosed || isMoving || deployment != before) {
                return;
            }
            isMoving = true;
            before.close();
        } finally {
            lock.unlock();
        }
        before.awaitEnd(PipelineWorkers.TIMEOUT);
        List<String> gone = pipelineWorkers.leaveLost();
        if (gone.isEmpty()) {
            if (problem != null) {
                judge(before, problem);
            }
        }
        resume(gone);
    }

    /**
     * Excludes a machine after a failure while all machines respond: one of them sends wrong data, or a connection is bad.
     */
    private void judge(PipelineDeployment before, Throwable problem) {
        Optional<Sentence> tried = WorkerFaultLocator.tried(before, pipelineWorkers.present());
        if (tried.isPresent()) {
            pipelineWorkers.leaveOut(tried.get().worker(), tried.get().reason());
        } else {
            giveUpRepeated(before, problem);
        }
    }

    /** After repeated failures, excludes a machine that another one reports, although it passes the trial. */
    private void giveUpRepeated(PipelineDeployment before, Throwable problem) {
        List<PipelineBatch> repeated = begun();
        repeated.forEach(PipelineBatch::failedWithoutLoss);
        repeated = repeated.stream()
                .filter(batch -> batch.failuresWithoutLoss() >= MAX_FAILURES)
                .toList();
        Optional<Sentence> accused = repeated.isEmpty()
                ? Optional.empty()
                : WorkerFaultLocator.accused(before, pipelineWorkers.present(), problem);
        if (accused.isPresent()) {
            pipelineWorkers.leaveOut(accused.get().worker(), accused.get().reason());
        } else {
            giveUp(repeated, before, problem);
        }
    }

    private void giveUp(List<PipelineBatch> batches, PipelineDeployment before, Throwable problem) {
        List<String> names =
                before.hosts().stream().map(pipelineWorkers::nameOf).toList();
        String sentence = "onnx: a batch failed " + MAX_FAILURES + " times, though " + String.join(", ", names)
                + " (members 0 to " + (names.size() - 1) + ") answer: " + problem.getMessage();
        for (PipelineBatch batch : batches) {
            batch.answer().completeExceptionally(new OutpostException(FaultKind.EXTERNAL, sentence, problem));
        }
    }

    private List<PipelineBatch> begun() {
        lock.lock();
        try {
            return underWay.values().stream()
                    .filter(batch -> batch.attempts() > 0)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** @param gone the names of the machines that were lost */
    private void resume(List<String> gone) {
        PipelineDeployment next = null;
        OutpostException problem = null;
        PipelinePlan division = null;
        try {
            division = ModelDivision.of(model, pipelineWorkers.speeds(), settings);
            next = deployer.deploy(division, pipelineWorkers.present());
        } catch (RuntimeException failure) {
            problem =
                    new OutpostException(FaultKind.EXTERNAL, "onnx: " + missing(gone) + failure.getMessage(), failure);
        }
        settle(next, division, problem);
    }

    private String missing(List<String> gone) {
        String lost = gone.isEmpty() ? "" : "lost " + String.join(", ", gone) + ": ";
        List<String> leftOut = pipelineWorkers.leftOut();
        return lost + (leftOut.isEmpty() ? "" : "left out " + String.join("; ", leftOut) + ": ");
    }

    private void settle(PipelineDeployment next, PipelinePlan division, OutpostException problem) {
        List<PipelineBatch> left;
        lock.lock();
        try {
            left = List.copyOf(underWay.values());
            isMoving = false;
            if (problem == null && !isClosed) {
                deployment = next;
                plan = division;
                broken = null;
                left.forEach(next::submit);
                return;
            }
            broken = problem;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.close();
        }
        left.forEach(batch -> batch.answer().completeExceptionally(problem));
    }

    @Override
    public void close() {
        List<PipelineBatch> left;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            left = List.copyOf(underWay.values());
            deployment.close();
        } finally {
            lock.unlock();
        }
        watch.close();
        OutpostException closed = new OutpostException(FaultKind.USER, "onnx: the pipeline was closed");
        left.forEach(batch -> batch.answer().completeExceptionally(closed));
        PipelineWorkers.closeOwn(pipelineWorkers.present());
    }
}
