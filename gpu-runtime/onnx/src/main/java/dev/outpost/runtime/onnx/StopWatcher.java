package dev.outpost.runtime.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends a run that need not go on: a model may have loops that never end. */
final class StopWatcher implements AutoCloseable {
    private static final long EVERY_MILLIS = 50;

    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("outpost-model-watch").factory());

    private final RunOptions options;
    private final BooleanSupplier isStopped;
    private final ScheduledFuture<?> looking;
    private boolean isClosed;

    private StopWatcher(RunOptions options, BooleanSupplier isStopped) {
        this.options = options;
        this.isStopped = isStopped;
        this.looking = TIMER.scheduleWithFixedDelay(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    static StopWatcher start(RunOptions options, BooleanSupplier isStopped) {
        return new StopWatcher(options, isStopped);
    }

    private synchronized void look() {
        if (isClosed || !isStopped.getAsBoolean()) {
            return;
        }
        try {
            options.setTerminate(true);
        } catch (OrtException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        looking.cancel(false);
    }
}
