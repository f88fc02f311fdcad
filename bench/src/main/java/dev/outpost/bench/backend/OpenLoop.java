package dev.outpost.bench.backend;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Sends requests at a fixed rate, whether earlier ones were answered or not, and times each from its due time. So a stall
 * counts for all requests that were due during it.
 */
final class OpenLoop {
    private final double perSecond;
    private final int count;

    OpenLoop(double perSecond, int seconds) {
        this.perSecond = perSecond;
        this.count = (int) (perSecond * seconds);
    }

    /**
     * Runs all requests.
     *
     * @param request sends the request with a given number, and returns when it was answered
     * @param failed counts failed requests
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
