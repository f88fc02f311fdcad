package dev.outpost.system.k8s.faults;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import java.util.Optional;

/** A program that counts on a machine, and looks at the count each time, until it is told to stop or cannot go on. */
final class CountingProgram {
    private static final int SOME = 5;

    private final RemoteMachine machine;
    private final Thread thread = Thread.ofVirtual().name("test-workload").unstarted(this::run);
    private volatile long count;
    private volatile boolean isOver;
    private volatile Throwable failure;

    private CountingProgram(RemoteMachine machine) {
        this.machine = machine;
    }

    /** One that has counted already. */
    static CountingProgram on(RemoteMachine machine) {
        CountingProgram countingProgram = new CountingProgram(machine);
        countingProgram.thread.start();
        countingProgram.awaitProgress();
        return countingProgram;
    }

    private void run() {
        try (Tensor zero = machine.zeros(1)) {
            count(zero.add(0));
        } catch (RuntimeException | Error exception) {
            failure = exception;
        }
    }

    private void count(Tensor first) {
        Tensor present = first;
        while (!isOver) {
            Tensor next = present.add(1);
            present.close();
            present = next;
            require(present.sum().itemDouble());
        }
        present.close();
    }

    /** A step that was done twice, or not at all, would show. */
    private void require(double seen) {
        count++;
        if (seen != count) {
            throw new AssertionError("counted " + seen + " where " + count + " was expected");
        }
    }

    /** It goes on counting. */
    void awaitProgress() {
        long before = count;
        ClusterAwait.until("it goes on", () -> count > before + SOME || failure != null);
        if (failure != null) {
            throw new AssertionError("the work has failed", failure);
        }
    }

    /** Why it could not go on. */
    Throwable awaitFailure() {
        return ClusterAwait.present("it fails", () -> Optional.ofNullable(failure));
    }

    void stop() throws InterruptedException {
        isOver = true;
        thread.join();
    }
}
