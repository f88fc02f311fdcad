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
    static final Duration PATIENCE = Duration.ofMillis(1500);

    /** The end of a machine's session is waited for so long; what takes longer ends by itself. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<PipelineWorker> seats;
    private final List<PipelineWorker> lost = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final Map<String, WorkerSpeed> speeds = new HashMap<>();

    PipelineWorkers(List<PipelineWorker> seats, List<WorkerSpeed> speeds) {
        this.seats = new ArrayList<>(seats);
        speeds.forEach(speed -> this.speeds.put(speed.name(), speed));
    }

    /** Those that compute, in the order in which a division numbers them. */
    List<PipelineWorker> present() {
        return locked(() -> List.copyOf(seats));
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
    void leaveOut(PipelineWorker seat, String reason) {
        if (locked(() -> seats.remove(seat) && leftOut.add(seat.name() + ": " + reason))) {
            Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(seat));
            present().forEach(PipelineWorkers::tellOfLostExchanges);
        }
    }

    /** The speeds of those that compute, in their order. */
    List<WorkerSpeed> speeds() {
        return locked(() -> seats.stream().map(seat -> speeds.get(seat.name())).toList());
    }

    /** A machine that was lost is there again. */
    void takeBack(PipelineWorker gone, PipelineWorker back, WorkerSpeed speed) {
        locked(() -> {
            lost.remove(gone);
            seats.add(back);
            return speeds.put(speed.name(), speed);
        });
    }

    String nameOf(StageHost host) {
        return present().stream()
                .filter(seat -> seat.machine() == host.machine())
                .map(PipelineWorker::name)
                .findFirst()
                .orElse("a machine that left");
    }

    /** Whether a machine of a deployment is known to be gone. */
    boolean isAnyGone(PipelineDeployment deployment) {
        return present().stream()
                .filter(seat -> deployment.hosts().stream().anyMatch(host -> host.machine() == seat.machine()))
                .anyMatch(PipelineWorker::isGone);
    }

    /** Takes out the machines that do not answer, and tells which. */
    List<String> leaveLost() {
        Map<PipelineWorker, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        for (PipelineWorker seat : present()) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> answer.complete(answers(seat)));
            asked.put(seat, answer);
        }
        List<String> gone = new ArrayList<>();
        AnswerTime time = new AnswerTime(PATIENCE);
        asked.forEach((seat, answer) -> {
            if (!isGiven(answer, time)) {
                gone.add(seat.name());
                locked(() -> seats.remove(seat) && lost.add(seat));
                Thread.ofVirtual().name("outpost-onnx-leave").start(() -> leave(seat));
            }
        });
        return gone;
    }

    private static boolean isGiven(CompletableFuture<Boolean> answer, AnswerTime time) {
        try {
            return time.await(answer).orElse(false);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return answer.getNow(false);
        } catch (ExecutionException impossible) {
            return false;
        }
    }

    private static boolean answers(PipelineWorker seat) {
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
    private static void tellOfLostExchanges(PipelineWorker seat) {
        try {
            seat.machine().synchronize();
        } catch (OutpostException told) {
            // Whether the machine is lost is seen by what is asked next.
        }
    }

    /** All at once. A machine that says nothing is not waited for longer than {@link #CLOSING}. */
    static void closeOwn(List<PipelineWorker> seats) {
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

    static void leave(PipelineWorker seat) {
        seat.whenLeft().run();
        if (seat.isOwn()) {
            try {
                seat.machine().close();
            } catch (OutpostException lost) {
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
