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
 * The machines of a pipeline: present machines, lost machines that may be reachable again later, and excluded
 * machines, which sent wrong data or no data. Thread-safe.
 */
final class PipelineWorkers {
    /** A machine that does not answer within this time counts as lost. */
    static final Duration TIMEOUT = Duration.ofMillis(1500);

    /** The maximum wait for the end of the machines' sessions; slower ones end in the background. */
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

    /** Returns the present machines, in the order of their indices in a division. */
    List<PipelineWorker> present() {
        return locked(() -> List.copyOf(workers));
    }

    /** Returns the machines that stopped answering. */
    List<PipelineWorker> lost() {
        return locked(() -> List.copyOf(lost));
    }

    /** Returns a sentence for each excluded machine. */
    List<String> leftOut() {
        return locked(() -> List.copyOf(leftOut));
    }

    /** Excludes a machine for good. Waits until the others have reported their failed exchanges with it. */
    void leaveOut(PipelineWorker worker, String reason) {
        if (locked(() -> workers.remove(worker) && leftOut.add(worker.name() + ": " + reason))) {
            Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(worker));
            present().forEach(PipelineWorkers::reportLostExchanges);
        }
    }

    /** Returns the speeds of the present machines, in their order. */
    List<WorkerSpeed> speeds() {
        return locked(
                () -> workers.stream().map(worker -> speeds.get(worker.name())).toList());
    }

    /** Adds a machine that was lost and can be reached again. */
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

    /** True if a machine of a deployment is known to be lost. */
    boolean isAnyGone(PipelineDeployment deployment) {
        return present().stream()
                .filter(worker -> deployment.hosts().stream().anyMatch(host -> host.machine() == worker.machine()))
                .anyMatch(PipelineWorker::isGone);
    }

    /** Removes the machines that do not answer, and returns their names. */
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

    /** Clears the failures of exchanges with a lost machine. Its batches start again, so these failures do not matter. */
    private static void reportLostExchanges(PipelineWorker worker) {
        try {
            worker.machine().synchronize();
        } catch (OutpostException ignored) {
            // The next request shows whether this machine is lost, too.
        }
    }

    /** Closes machines in parallel. Waits no longer than {@link #CLOSING} for those that do not respond. */
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
                // Callers with values on this machine have received the failure.
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
