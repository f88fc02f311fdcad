package dev.outpost.models.pipeline;

import dev.outpost.Tensor;
import dev.outpost.client.trial.AnswerTime;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The machines of a pipeline: those that are there, those that were lost and may come back, and those that are left out because they
 * did not do what they were told. Thread-safe.
 */
final class StageWorkers {
    /** A machine that does not answer within this is done without. */
    static final Duration TIMEOUT = Duration.ofMillis(1500);

    /** The end of a machine's session is waited for so long; what takes longer ends by itself. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final List<StageMachine> present;
    private final List<StageMachine> lost = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    StageWorkers(List<StageMachine> machines) {
        present = new ArrayList<>(machines);
    }

    synchronized List<StageMachine> present() {
        return List.copyOf(present);
    }

    synchronized List<StageMachine> lost() {
        return List.copyOf(lost);
    }

    /** A sentence for each machine that is left out. */
    synchronized List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** A machine that was lost is there again; whether it still was one of those. */
    synchronized boolean join(StageMachine gone, StageMachine back) {
        return lost.remove(gone) && present.add(back);
    }

    /** Takes a machine out for good. */
    void leaveOut(StageMachine machine, String reason) {
        synchronized (this) {
            if (!present.remove(machine)) {
                return;
            }
            leftOut.add(machine.name() + ": " + reason);
        }
        leave(machine);
    }

    /** Takes out the machines that do not answer, and tells which. Waits for {@link #TIMEOUT} at most. */
    List<String> leaveLost() {
        Map<StageMachine, CompletableFuture<Boolean>> asked = new LinkedHashMap<>();
        for (StageMachine machine : present()) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> answer.complete(ping(machine)));
            asked.put(machine, answer);
        }
        List<String> gone = new ArrayList<>();
        AnswerTime time = new AnswerTime(TIMEOUT);
        asked.forEach((machine, answer) -> {
            if (!isGiven(answer, time) && lose(machine)) {
                gone.add(machine.name());
                leave(machine);
            }
        });
        return gone;
    }

    private synchronized boolean lose(StageMachine machine) {
        return present.remove(machine) && lost.add(machine);
    }

    private static Thread leave(StageMachine machine) {
        return Thread.ofVirtual().name("outpost-lan-leave").start(machine.whenLeft());
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

    private static boolean ping(StageMachine machine) {
        if (machine.isLost().getAsBoolean()) {
            return false;
        }
        try {
            machine.machine().synchronize();
        } catch (OutpostException ignored) {
            // The exchanges with a lost machine have failed. Whether this one is lost is seen by the next question.
        }
        try (Tensor one = machine.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }

    /** Lets go of all machines at once. One that says nothing is not waited for longer than three seconds. */
    void close() {
        List<Thread> leaving = present().stream().map(StageWorkers::leave).toList();
        long end = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Thread thread : leaving) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
