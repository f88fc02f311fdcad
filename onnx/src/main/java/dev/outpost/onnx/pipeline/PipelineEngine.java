package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.Stage;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.plan.ModelCosts;
import dev.outpost.onnx.plan.Partitioner;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.StagePlan;
import dev.outpost.onnx.plan.WorkerSpeed;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A pipeline at work: its plan, its stages on machines, and the batches that are under way. Thread-safe. */
public final class PipelineEngine implements AutoCloseable {
    /** A machine that does not answer within this is done without. */
    private static final Duration PATIENCE = Duration.ofMillis(1500);

    private static final Duration LOOK = Duration.ofMillis(250);

    /** A batch that is lost with one worker after the other is given up. */
    private static final int MOST_ATTEMPTS = 8;

    private final ModelGraph model;
    private final PipelineSettings settings;
    private final ActivationCodec codec;
    private final Semaphore room;
    private final ReentrantLock lock = new ReentrantLock();
    /** Those that are not answered, by number. Guarded by the lock, as are the fields below. */
    private final SequencedMap<Long, Batch> underWay = new LinkedHashMap<>();

    private final List<Seat> seats;
    private PipelinePlan plan;
    private Deployment deployment;
    private long nextNumber;
    private boolean isClosed;
    /** While stages move to other machines, batches wait. */
    private boolean isMoving;

    private final Thread watcher =
            Thread.ofPlatform().daemon().name("outpost-onnx-watch").unstarted(this::watch);

    private PipelineEngine(ModelGraph model, List<Seat> seats, PipelineSettings settings, PipelinePlan plan) {
        this.model = model;
        this.settings = settings;
        this.codec = new ActivationCodec(settings.precision());
        this.room = new Semaphore(settings.mostInFlight(), true);
        this.seats = new ArrayList<>(seats);
        this.plan = plan;
        this.deployment = deploy(plan);
        watcher.start();
    }

    /** Measures machines, divides the model, and waits until each stage is open. */
    public static PipelineEngine open(ModelGraph model, List<Seat> seats, PipelineSettings settings) {
        boolean isOpen = false;
        try {
            PipelineEngine engine = new PipelineEngine(model, seats, settings, divide(model, seats, settings));
            isOpen = true;
            return engine;
        } finally {
            if (!isOpen) {
                closeOwn(seats);
            }
        }
    }

    /** The division of a model over machines, which are measured for it. */
    public static PipelinePlan divide(ModelGraph model, List<Seat> seats, PipelineSettings settings) {
        StageCutter cutter = model.cutter(settings.inputs());
        ModelCosts costs = new ModelCosts(model.index(), model.types(settings.inputs()), cutter);
        List<WorkerSpeed> speeds = seats.stream()
                .map(seat -> Calibration.measure(seat.machine(), seat.name(), seat.memoryBytes()))
                .toList();
        return settings.stages().isPresent()
                ? Partitioner.even(costs, speeds, settings.stages().getAsInt())
                : Partitioner.plan(costs, speeds, settings.precision().bits() / Float.SIZE);
    }

    private Deployment deploy(PipelinePlan division) {
        StageCutter cutter = model.cutter(settings.inputs());
        List<StageHost> hosts = new ArrayList<>();
        boolean isDone = false;
        try {
            for (StagePlan each : division.stages()) {
                Stage stage = cutter.stage(each.first(), each.end());
                hosts.add(StageHost.open(
                        seats.get(each.worker()).machine(),
                        model.file(),
                        stage,
                        new LinkedHashSet<>(model.index().outputs()),
                        settings.isOptimized()));
            }
            hosts.forEach(StageHost::awaitOpen);
            isDone = true;
            return new Deployment(hosts, model.index().outputs(), codec, this::failed);
        } finally {
            if (!isDone) {
                hosts.forEach(StageHost::close);
            }
        }
    }

    public PipelinePlan plan() {
        lock.lock();
        try {
            return plan;
        } finally {
            lock.unlock();
        }
    }

    public int mostInFlight() {
        return settings.mostInFlight();
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
            Batch batch = new Batch(nextNumber++, inputs, types);
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
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "onnx: interrupted while waiting for room", stopped);
        }
    }

    private void done(Batch batch) {
        lock.lock();
        try {
            underWay.remove(batch.number());
        } finally {
            lock.unlock();
        }
        room.release();
    }

    // ---- loss

    private void failed(Deployment where, Batch batch, Throwable problem) {
        if (problem instanceof MachineLostException && batch.attempts() < MOST_ATTEMPTS) {
            Thread.ofVirtual().name("outpost-onnx-move").start(() -> move(where));
        } else {
            batch.answer().completeExceptionally(problem);
        }
    }

    /** Looks for machines of which nothing is heard: one that was cut off does not say so. */
    private void watch() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                Deployment current = current();
                if (current == null) {
                    return;
                }
                if (current.hosts().stream()
                        .anyMatch(host -> seatOf(host).isSilent().getAsBoolean())) {
                    move(current);
                }
            }
        } catch (InterruptedException closed) {
            // The pipeline is closed.
        }
    }

    private Deployment current() {
        lock.lock();
        try {
            return isClosed ? null : deployment;
        } finally {
            lock.unlock();
        }
    }

    private Seat seatOf(StageHost host) {
        return seats.stream()
                .filter(seat -> seat.machine() == host.machine())
                .findFirst()
                .orElseThrow();
    }

    /** Moves all stages to the machines that are left, and begins the batches anew that are not answered. */
    private void move(Deployment lost) {
        lock.lock();
        try {
            // Of the many batches that a loss takes, one moves the stages, and all are begun anew.
            if (isClosed || isMoving || deployment != lost) {
                return;
            }
            isMoving = true;
            lost.close();
        } finally {
            lock.unlock();
        }
        List<String> gone = leaveLost();
        Deployment next = null;
        OutpostException problem = null;
        PipelinePlan division = null;
        try {
            division = divideAgain();
            next = deploy(division);
        } catch (RuntimeException failed) {
            problem = new OutpostException(
                    FaultKind.EXTERNAL, "onnx: lost " + String.join(", ", gone) + ": " + failed.getMessage(), failed);
        }
        settle(next, division, problem);
    }

    private void settle(Deployment next, PipelinePlan division, OutpostException problem) {
        List<Batch> left;
        lock.lock();
        try {
            left = List.copyOf(underWay.values());
            isMoving = false;
            if (problem == null && !isClosed) {
                deployment = next;
                plan = division;
                left.forEach(next::submit);
                return;
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.close();
        }
        left.forEach(batch -> batch.answer().completeExceptionally(problem));
    }

    /** Takes out the machines that do not answer, and tells which. */
    private List<String> leaveLost() {
        Map<Seat, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        for (Seat seat : seats) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> answer.complete(answers(seat)));
            asked.put(seat, answer.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        }
        List<String> gone = new ArrayList<>();
        asked.forEach((seat, answer) -> {
            if (!answer.join()) {
                gone.add(seat.name());
                lock.lock();
                try {
                    seats.remove(seat);
                } finally {
                    lock.unlock();
                }
                Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(seat));
            }
        });
        return gone;
    }

    private static boolean answers(Seat seat) {
        if (seat.isSilent().getAsBoolean()) {
            return false;
        }
        try (Tensor one = seat.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException lost) {
            return false;
        }
    }

    private PipelinePlan divideAgain() {
        StageCutter cutter = model.cutter(settings.inputs());
        ModelCosts costs = new ModelCosts(model.index(), model.types(settings.inputs()), cutter);
        List<WorkerSpeed> speeds = seats.stream().map(this::speedOf).toList();
        return Partitioner.plan(costs, speeds, settings.precision().bits() / Float.SIZE);
    }

    private WorkerSpeed speedOf(Seat seat) {
        return plan.workers().stream()
                .filter(speed -> speed.name().equals(seat.name()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        List<Batch> left;
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
        watcher.interrupt();
        OutpostException closed = new OutpostException(FaultKind.USER, "onnx: the pipeline was closed");
        left.forEach(batch -> batch.answer().completeExceptionally(closed));
        closeOwn(seats);
    }

    private static void closeOwn(List<Seat> seats) {
        seats.forEach(PipelineEngine::leave);
    }

    private static void leave(Seat seat) {
        seat.whenLeft().run();
        if (seat.isOwn()) {
            try {
                seat.machine().close();
            } catch (OutpostException lost) {
                // Whoever had values there was told.
            }
        }
    }
}
