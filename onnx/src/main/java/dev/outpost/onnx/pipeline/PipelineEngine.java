package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A pipeline at work: its plan, its stages on machines, and the batches that are under way. Thread-safe. */
public final class PipelineEngine implements AutoCloseable {
    /** A machine that does not answer within this is done without. */
    private static final Duration PATIENCE = Duration.ofMillis(1500);

    /** The end of a machine's session is waited for so long; what takes longer ends by itself. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private static final Duration LOOK = Duration.ofMillis(250);

    private static final int LOOKS_FOR_LOST = 8;

    /** A batch that is lost with one worker after the other is given up. */
    private static final int MOST_ATTEMPTS = 8;

    /** A batch that fails so often although all machines answer is given up: one of them does not do what it was told. */
    private static final int MOST_FAILURES = 2;

    private final ModelGraph model;
    private final PipelineSettings settings;
    private final ActivationCodec codec;
    private final Semaphore room;
    private final ReentrantLock lock = new ReentrantLock();
    /** Those that are not answered, by number. Guarded by the lock, as are the fields below. */
    private final SequencedMap<Long, Batch> underWay = new LinkedHashMap<>();

    private final List<Seat> seats;
    /** Those that did not answer any more, and may come back. */
    private final List<Seat> lost = new ArrayList<>();

    private final Map<String, WorkerSpeed> speeds = new HashMap<>();
    /** Why no machines are left that could compute; null while there are. */
    private OutpostException broken;

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
        plan.workers().forEach(speed -> speeds.put(speed.name(), speed));
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
        return divide(costs, speeds, settings, settings.stages());
    }

    private static PipelinePlan divide(
            ModelCosts costs, List<WorkerSpeed> speeds, PipelineSettings settings, OptionalInt stages) {
        double compression = settings.precision().bits() / Float.SIZE;
        return stages.isPresent()
                ? Partitioner.even(costs, speeds, stages.getAsInt(), compression)
                : Partitioner.plan(costs, speeds, compression);
    }

    private Deployment deploy(PipelinePlan division) {
        StageCutter cutter = model.cutter(settings.inputs());
        List<StageHost> hosts = new ArrayList<>();
        boolean isDone = false;
        try {
            for (StagePlan each : division.stages()) {
                Stage stage = cutter.stage(each.first(), each.end());
                hosts.add(StageHost.open(
                        seats.get(each.worker()).machine(), model.file(), stage, settings.isOptimized()));
            }
            hosts.forEach(StageHost::awaitOpen);
            Deployment next = new Deployment(hosts, model.index().outputs(), codec, links(division), this::failed);
            isDone = true;
            return next;
        } finally {
            if (!isDone) {
                hosts.forEach(StageHost::close);
            }
        }
    }

    /** The machines of a division are connected with each other; empty where that is one. */
    private Optional<PeerLinks> links(PipelinePlan division) {
        List<Seat> used = division.stages().stream()
                .map(stage -> seats.get(stage.worker()))
                .toList();
        return used.size() == 1
                ? Optional.empty()
                : Optional.of(PeerLinks.open(
                        used.stream().map(Seat::machine).toList(),
                        used.stream().map(Seat::host).toList(),
                        settings.patience()));
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
        lock.lock();
        try {
            return lost.stream().map(Seat::name).toList();
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
            if (broken != null) {
                room.release();
                throw new OutpostException(broken.kind(), broken.getMessage(), broken);
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
        if (isLoss(problem) && batch.attempts() < MOST_ATTEMPTS) {
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

    /** Looks for machines of which nothing is heard: one that was cut off does not say so. */
    private void watch() {
        try {
            for (int look = 1; true; look++) {
                Thread.sleep(LOOK);
                Deployment current = current();
                if (current == null) {
                    return;
                }
                if (isAnyGone(current)) {
                    move(current, Optional.empty());
                }
                if (look % LOOKS_FOR_LOST == 0) {
                    takeBack();
                }
            }
        } catch (InterruptedException closed) {
            // The pipeline is closed.
        }
    }

    private boolean isAnyGone(Deployment current) {
        List<Seat> now;
        lock.lock();
        try {
            now = List.copyOf(seats);
        } finally {
            lock.unlock();
        }
        return now.stream()
                .filter(seat -> current.hosts().stream().anyMatch(host -> host.machine() == seat.machine()))
                .anyMatch(Seat::isGone);
    }

    /** Machines that were lost and are there again are measured anew, and the model is divided over all. */
    private void takeBack() {
        for (Seat seat : lostOnes()) {
            try {
                seat.again().get().ifPresent(back -> join(seat, back));
            } catch (RuntimeException goneAgain) {
                // It is looked for again. Nobody looks any more where the caller has closed the workers.
            }
        }
    }

    private List<Seat> lostOnes() {
        lock.lock();
        try {
            return isClosed || isMoving ? List.of() : List.copyOf(lost);
        } finally {
            lock.unlock();
        }
    }

    private void join(Seat gone, Seat back) {
        boolean isJoined = false;
        try {
            WorkerSpeed speed = Calibration.measure(back.machine(), back.name(), back.memoryBytes());
            isJoined = add(gone, back, speed);
        } finally {
            if (!isJoined) {
                leave(back);
            }
        }
        move(current(), Optional.empty());
    }

    private boolean add(Seat gone, Seat back, WorkerSpeed speed) {
        lock.lock();
        try {
            if (isClosed || isMoving) {
                return false;
            }
            lost.remove(gone);
            seats.add(back);
            speeds.put(speed.name(), speed);
            return true;
        } finally {
            lock.unlock();
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

    /**
     * Moves all stages to the machines that are left, and begins the batches anew that are not answered.
     *
     * @param problem the failure of a batch that looks like a loss
     */
    private void move(Deployment before, Optional<Throwable> problem) {
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
        before.awaitEnd(PATIENCE);
        List<String> gone = leaveLost();
        if (gone.isEmpty()) {
            problem.ifPresent(told -> giveUpRepeated(before, told));
        }
        resume(gone);
    }

    /** Where all machines answer, one of them does not do what it was told, and it will not the next time. */
    private void giveUpRepeated(Deployment before, Throwable problem) {
        List<String> names = before.hosts().stream().map(this::nameOf).toList();
        String sentence = "onnx: a batch failed " + MOST_FAILURES + " times, though " + String.join(", ", names)
                + " (members 0 to " + (names.size() - 1) + ") answer: " + problem.getMessage();
        for (Batch batch : begun()) {
            batch.failedWithoutLoss();
            if (batch.failuresWithoutLoss() >= MOST_FAILURES) {
                batch.answer().completeExceptionally(new OutpostException(FaultKind.EXTERNAL, sentence, problem));
            }
        }
    }

    private String nameOf(StageHost host) {
        return seats.stream()
                .filter(seat -> seat.machine() == host.machine())
                .map(Seat::name)
                .findFirst()
                .orElse("a machine that left");
    }

    private List<Batch> begun() {
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
                    lost.add(seat);
                } finally {
                    lock.unlock();
                }
                Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(seat));
            }
        });
        return gone;
    }

    private static boolean answers(Seat seat) {
        if (seat.isGone()) {
            return false;
        }
        tellOfLostExchanges(seat);
        try (Tensor one = seat.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException lost) {
            return false;
        }
    }

    /** What was to be exchanged with a lost machine has failed. Its batches are begun anew, so nobody has to hear of it. */
    private static void tellOfLostExchanges(Seat seat) {
        try {
            seat.machine().synchronize();
        } catch (OutpostException told) {
            // Whether the machine is lost is seen by what is asked next.
        }
    }

    private PipelinePlan divideAgain() {
        StageCutter cutter = model.cutter(settings.inputs());
        ModelCosts costs = new ModelCosts(model.index(), model.types(settings.inputs()), cutter);
        List<WorkerSpeed> speeds = seats.stream().map(this::speedOf).toList();
        boolean isEnough = speeds.size() >= settings.stages().orElse(1);
        return divide(costs, speeds, settings, isEnough ? settings.stages() : OptionalInt.empty());
    }

    private WorkerSpeed speedOf(Seat seat) {
        lock.lock();
        try {
            return speeds.get(seat.name());
        } finally {
            lock.unlock();
        }
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

    /** All at once. A machine that says nothing is not waited for longer than {@link #CLOSING}. */
    private static void closeOwn(List<Seat> seats) {
        List<Thread> leaving = seats.stream()
                .map(seat -> Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(seat)))
                .toList();
        long end = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Thread thread : leaving) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void leave(Seat seat) {
        seat.whenLeft().run();
        if (seat.isOwn()) {
            try {
                seat.machine().close();
            } catch (OutpostException lost) {
                // Callers with values there were told.
            }
        }
    }
}
