package dev.outpost.bench.backend;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Sends requests at a fixed rate, whether earlier ones were answered or not, and times each from when it was due: a stall counts
 * against all that came into it.
 */
final class OpenLoop {
    private final double perSecond;
    private final int count;

    OpenLoop(double perSecond, int seconds) {
        this.perSecond = perSecond;
        this.count = (int) (perSecond * seconds);
    }

    /**
     * Runs them all.
     *
     * @param request sends the request of that number, and returns when it was answered
     * @param failed counts those that failed
     */
    Latencies run(IntConsumer request, AtomicInteger failed) {
        Latencies latencies = new Latencies();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                int number = i;
                long due = start + (long) (number * 1e9 / perSecond);
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                threads.execute(() -> {
                    try {
                        request.accept(number);
                        latencies.add(System.nanoTime() - due);
                    } catch (RuntimeException ignored) {
                        failed.incrementAndGet();
                    }
                });
            }
        }
        return latencies;
    }
}
