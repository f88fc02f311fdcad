package dev.outpost.runtime.onnx;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs actions at set times, on one thread. */
final class ModelTimer {
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("outpost-model-watch").factory());

    private ModelTimer() {}

    /** A scheduled action, which {@link #close} cancels. */
    record Watch(Future<?> work) implements AutoCloseable {
        @Override
        public void close() {
            work.cancel(false);
        }
    }

    static Watch after(Duration delay, Runnable work) {
        return new Watch(TIMER.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS));
    }

    static Watch every(Duration period, Runnable work) {
        long millis = period.toMillis();
        return new Watch(TIMER.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS));
    }
}
