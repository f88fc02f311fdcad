package dev.outpost.system.backend.replica;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.time.Duration;

/** A program that reads one number after the other, each computed from the previous one. */
final class ComputingSession {
    private volatile boolean stopped;
    private volatile long longestNanos;
    private volatile long reads;

    void run(RemoteMachine machine) {
        try (Tensor one = machine.ones(2, 3)) {
            double last = one.sum().itemDouble();
            for (long at = System.nanoTime(); !stopped; ) {
                double next = one.sum().add(last).itemDouble();
                if (next != last + 6) {
                    throw new AssertionError("after " + last + " comes " + next);
                }
                last = next % 6000;
                reads++;
                long now = System.nanoTime();
                longestNanos = Math.max(longestNanos, now - at);
                at = now;
            }
        }
    }

    void stop() {
        stopped = true;
    }

    Duration longestPause() {
        return Duration.ofNanos(longestNanos);
    }

    @Override
    public String toString() {
        return reads + " reads, the longest took " + longestPause();
    }
}
