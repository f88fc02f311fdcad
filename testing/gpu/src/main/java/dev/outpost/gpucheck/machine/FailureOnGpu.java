package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.runtime.engine.EngineSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Checks that a failure that destroys the driver's context ends the sessions of the GPU's machine with the failure as the reason, and that
 * new sessions are refused. The GPU computes nothing more in this process, so nothing is closed afterwards.
 */
final class FailureOnGpu {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String REASON = "device failed";

    private final GpuUnderCheck gpu;

    FailureOnGpu(GpuUnderCheck gpu) {
        this.gpu = gpu;
    }

    @SuppressWarnings("resource")
    GpuFinding run() {
        CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT));
        if (one(machine.machine()) != 1) {
            throw new WrongAnswerException("1 is something else before the device fails");
        }
        gpu.fault().run();
        long start = System.nanoTime();
        String reason = failure("a session", () -> computeOn(machine.machine()));
        if (!reason.contains(REASON)) {
            throw new WrongAnswerException("a session ended by another reason, expected \"" + REASON + "\": " + reason);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        String refusal = failure("a new session", () -> one(machine.another()));
        if (!machine.host().isDraining()) {
            throw new WrongAnswerException("the machine says that it takes new sessions in, though its device failed");
        }
        return GpuFinding.of(
                Map.of("seconds until the session ended", seconds),
                "the session ended %.1f s after the failure: %s; a new one is refused: %s",
                seconds,
                reason,
                refusal);
    }

    private static double one(RemoteMachine machine) {
        try (Tensor one = machine.ones(1)) {
            return one.itemDouble();
        }
    }

    /** Kernels that were launched before the failure was noticed may still seem to run. */
    private static double computeOn(RemoteMachine machine) {
        double last = one(machine);
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < end) {
            last = one(machine);
        }
        return last;
    }

    /** Returns the message of the work's failure; the work must fail in time. */
    private static String failure(String who, Supplier<Double> work) {
        try {
            CompletableFuture<Double> running = CompletableFuture.supplyAsync(
                    work, task -> Thread.ofPlatform().daemon().start(task));
            double found = running.get(2 * SOON.toMillis(), TimeUnit.MILLISECONDS);
            throw new WrongAnswerException(who + " computed " + found + " behind a failure of the device");
        } catch (ExecutionException failure) {
            return String.valueOf(failure.getCause().getMessage());
        } catch (TimeoutException ignored) {
            throw new WrongAnswerException(who + " waits forever behind a failure of the device");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
