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
 * The machines of a pipeline: present machines, lost machines that may be reachable again later, and excluded
 * machines, which sent wrong data or no data. Thread-safe.
 */
final class StageWorkers {
    /** The time without an answer after which a machine counts as lost. */
    static final Duration TIMEOUT = Duration.ofMillis(1500);

    /** The maximum wait for the end of the machines' sessions. Slower ones end in the background. */
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

    /** Returns a sentence for each excluded machine. */
    synchronized List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** Adds a machine that was lost and can be reached again. Returns false if it is not among the lost ones. */
    synchronized boolean join(StageMachine gone, StageMachine back) {
        return lost.remove(gone) && present.add(back);
    }

    /** Excludes a machine permanently. */
    void leaveOut(StageMachine machine, String reason) {
        synchronized (this) {
            if (!present.remove(machine)) {
                return;
            }
            leftOut.add(machine.name() + ": " + reason);
        }
        leave(machine);
    }

    /** Removes the machines that do not answer, and returns their names. Waits for {@link #TIMEOUT} at most. */
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
            // Exchanges with a lost machine have failed on this machine. The next request shows whether this machine
            // is lost too.
        }
        try (Tensor one = machine.machine().zeros(1)) {
            one.toFloatArray();
            return true;
        } catch (OutpostException ignored) {
            return false;
        }
    }

    /** Releases all machines in parallel. Waits three seconds at most for those that do not respond. */
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
