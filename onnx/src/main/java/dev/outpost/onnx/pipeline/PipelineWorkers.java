package dev.outpost.onnx.pipeline;

import dev.outpost.Tensor;
import dev.outpost.client.trial.AnswerTime;
import dev.outpost.onnx.plan.WorkerSpeed;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The machines of a pipeline: those that compute, those that are lost and may come back, and those that are left out because they did
 * not do what they were told. Thread-safe.
 */
final class PipelineWorkers {
    /** A machine that does not answer within this is done without. */
    static final Duration TIMEOUT = Duration.ofMillis(1500);

    /** The end of a machine's session is waited for so long; what takes longer ends by itself. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<PipelineWorker> workers;
    private final List<PipelineWorker> lost = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final Map<String, WorkerSpeed> speeds = new HashMap<>();

    PipelineWorkers(List<PipelineWorker> workers, List<WorkerSpeed> speeds) {
        this.workers = new ArrayList<>(workers);
        speeds.forEach(speed -> this.speeds.put(speed.name(), speed));
    }

    /** Those that compute, in the order in which a division numbers them. */
    List<PipelineWorker> present() {
        return locked(() -> List.copyOf(workers));
    }

    /** Those that did not answer any more. */
    List<PipelineWorker> lost() {
        return locked(() -> List.copyOf(lost));
    }

    /** A sentence for each machine that is left out. */
    List<String> leftOut() {
        return locked(() -> List.copyOf(leftOut));
    }

    /** Takes a machine out for good; waits until the others have told of what they were to exchange with it. */
    void leaveOut(PipelineWorker worker, String reason) {
        if (locked(() -> workers.remove(worker) && leftOut.add(worker.name() + ": " + reason))) {
            Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(worker));
            present().forEach(PipelineWorkers::reportLostExchanges);
        }
    }

    /** The speeds of those that compute, in their order. */
    List<WorkerSpeed> speeds() {
        return locked(
                () -> workers.stream().map(worker -> speeds.get(worker.name())).toList());
    }

    /** A machine that was lost is there again. */
    void rejoin(PipelineWorker gone, PipelineWorker back, WorkerSpeed speed) {
        locked(() -> {
            lost.remove(gone);
            workers.add(back);
            return speeds.put(speed.name(), speed);
        });
    }

    String nameOf(StageHost host) {
        return present().stream()
                .filter(worker -> worker.machine() == host.machine())
                .map(PipelineWorker::name)
                .findFirst()
                .orElse("a machine that left");
    }

    /** Whether a machine of a deployment is known to be gone. */
    boolean isAnyGone(PipelineDeployment deployment) {
        return present().stream()
                .filter(worker -> deployment.hosts().stream().anyMatch(host -> host.machine() == worker.machine()))
                .anyMatch(PipelineWorker::isGone);
    }

    /** Takes out the machines that do not answer, and tells which. */
    List<String> leaveLost() {
        Map<PipelineWorker, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        for (PipelineWorker worker : present()) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> answer.complete(ping(worker)));
            asked.put(worker, answer);
        }
        List<String> gone = new ArrayList<>();
        AnswerTime time = new AnswerTime(TIMEOUT);
        asked.forEach((worker, answer) -> {
            if (!isGiven(answer, time)) {
                gone.add(worker.name());
                locked(() -> workers.remove(worker) && lost.add(worker));
                Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(worker));
            }
        });
        return gone;
    }

    private static boolean isGiven(CompletableFuture<Boolean> answer, AnswerTime time) {
        try {
            return time.await(answer).orElse(false);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return answer.getNow(false);
        } catch (ExecutionException impossible) {
            return false;
        }
    }

    private static boolean ping(PipelineWorker worker) {
        if (worker.isGone()) {
            return false;
        }
        reportLostExchanges(worker);
        try (Tensor one = worker.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }

    /** What was to be exchanged with a lost machine has failed. Its batches are begun anew, so nobody has to hear of it. */
    private static void reportLostExchanges(PipelineWorker worker) {
        try {
            worker.machine().synchronize();
        } catch (OutpostException ignored) {
            // Whether the machine is lost is seen by what is asked next.
        }
    }

    /** All at once. A machine that says nothing is not waited for longer than {@link #CLOSING}. */
    static void closeOwn(List<PipelineWorker> workers) {
        List<Thread> leaving = workers.stream()
                .map(worker -> Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(worker)))
                .toList();
        long end = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Thread thread : leaving) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void leave(PipelineWorker worker) {
        worker.whenLeft().run();
        if (worker.isOwn()) {
            try {
                worker.machine().close();
            } catch (OutpostException ignored) {
                // Callers with values there were told.
            }
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
