package dev.outpost.system.k8s.faults;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import java.util.Optional;

/** A program that counts on a machine, and reads the count each time, until it is stopped or cannot continue. */
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

    /** Starts a program and waits until it has counted. */
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

    /** Fails if a step was done twice or not at all. */
    private void require(double seen) {
        count++;
        if (seen != count) {
            throw new AssertionError("counted " + seen + " where " + count + " was expected");
        }
    }

    /** Checks that it continues to count. */
    void awaitProgress() {
        long before = count;
        ClusterAwait.until("it goes on", () -> count > before + SOME || failure != null);
        if (failure != null) {
            throw new AssertionError("the work has failed", failure);
        }
    }

    /** The reason why it could not continue. */
    Throwable awaitFailure() {
        return ClusterAwait.present("it fails", () -> Optional.ofNullable(failure));
    }

    void stop() throws InterruptedException {
        isOver = true;
        thread.join();
    }
}
