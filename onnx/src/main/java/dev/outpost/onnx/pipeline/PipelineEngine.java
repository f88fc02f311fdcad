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

/** A pipeline at work: its plan, its stages on machines, and the batches that are under way. Thread-safe. */
public final class PipelineEngine implements AutoCloseable {
    /** A batch that is lost with one worker after the other is given up. */
    private static final int MAX_ATTEMPTS = 8;

    /** A batch that fails so often although all machines answer is given up: one of them does not do what it was told. */
    private static final int MAX_FAILURES = 2;

    private final ModelGraph model;
    private final PipelineSettings settings;
    private final Semaphore room;
    private final ReentrantLock lock = new ReentrantLock();
    /** Those that are not answered, by number. Guarded by the lock, as are the fields below. */
    private final SequencedMap<Long, PipelineBatch> underWay = new LinkedHashMap<>();

    private final PipelineWorkers pipelineWorkers;
    private final StageDeployer deployer;
    private final MachineLossMonitor watch = new MachineLossMonitor(this::moveIfAnyIsGone, this::rejoin);
    /** Why no machines are left that could compute; null while there are. */
    private OutpostException broken;

    private PipelinePlan plan;
    private PipelineDeployment deployment;
    private long nextNumber;
    private boolean isClosed;
    /** While stages move to other machines, batches wait. */
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

    /** Measures machines, divides the model, and waits until each stage is open. */
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

    /** The division of a model over machines, which are measured for it. */
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

    /** The machines that were lost and have not come back, by name. */
    public List<String> lost() {
        return pipelineWorkers.lost().stream().map(PipelineWorker::name).toList();
    }

    /** A sentence for each machine that is left out because it did not do what it was told. */
    public List<String> leftOut() {
        return pipelineWorkers.leftOut();
    }

    public int mostInFlight() {
        return settings.maxInFlight();
    }

    // ---- batches

    /** Begins a batch; waits while as many as may be are under way. Bad inputs are refused here. */
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
            Thread.ofVirtual().name("outpost-onnx-move").start(() -> move(where, Optional.of(problem)));
            return;
        }
        batch.answer().completeExceptionally(problem);
        if (problem instanceof OutpostException told && told.kind() == FaultKind.INTERNAL) {
            // A machine that answers nonsense has no session any more.
            Thread.ofVirtual().name("outpost-onnx-move").start(() -> move(where, Optional.empty()));
        }
    }

    /** Where a machine is gone, the others say that what it was to send did not come. */
    private static boolean isLoss(Throwable problem) {
        return problem instanceof MachineLostException
                || problem instanceof OutpostException told && told.kind() == FaultKind.EXTERNAL;
    }

    private void moveIfAnyIsGone() {
        PipelineDeployment current = current();
        if (current != null && pipelineWorkers.isAnyGone(current)) {
            move(current, Optional.empty());
        }
    }

    /** Machines that were lost and are there again are measured anew, and the model is divided over all. */
    private void rejoin() {
        for (PipelineWorker worker : lostOnes()) {
            try {
                worker.again().get().ifPresent(back -> join(worker, back));
            } catch (RuntimeException ignored) {
                // It is looked for again. Nobody looks any more where the caller has closed the workers.
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
        move(current(), Optional.empty());
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
     * Moves all stages to the machines that are left, and begins the batches anew that are not answered.
     *
     * @param problem the failure of a batch that looks like a loss
     */
    private void move(PipelineDeployment before, Optional<Throwable> problem) {
        lock.lock();
        try {
            // Of the many batches that a loss takes, one moves the stages, and all are begun anew.
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
            problem.ifPresent(told -> judge(before, told));
        }
        resume(gone);
    }

    /** All machines answer, so one of them does not do what it was told, or the way between two of them is bad. */
    private void judge(PipelineDeployment before, Throwable problem) {
        Optional<Sentence> tried = WorkerFaultLocator.tried(before, pipelineWorkers.present());
        if (tried.isPresent()) {
            pipelineWorkers.leaveOut(tried.get().worker(), tried.get().reason());
        } else {
            giveUpRepeated(before, problem);
        }
    }

    /** A machine that is honest while it is tried is left out on the word of another one, the second time. */
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

    /** @param gone the machines that were lost, by name */
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
