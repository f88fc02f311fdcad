package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.GpuUnderCheck.FreeMemory;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.Map;

/** Checks that a GPU's memory is freed: values with their session, and all else with its engine. */
final class MemoryOnGpu {
    private static final int STEPS = 6;
    private static final int ROUNDS = 3;

    private final GpuUnderCheck gpu;

    MemoryOnGpu(GpuUnderCheck gpu) {
        this.gpu = gpu;
    }

    /** The first round loads code that the driver keeps; later rounds must leave as much memory free as they found. */
    GpuFinding run() {
        try (FreeMemory free = gpu.memory().get()) {
            round();
            long before = free.bytes();
            for (int round = 0; round < ROUNDS; round++) {
                round();
            }
            long lost = before - free.bytes();
            if (lost > 0) {
                throw new WrongAnswerException(lost + " bytes of the GPU did not come back from " + ROUNDS
                        + " engines that trained and were closed");
            }
            return GpuFinding.of(
                    Map.of("free bytes", (double) before),
                    "%d engines trained and were closed: all of their memory is back, %.1f GiB",
                    ROUNDS,
                    before / (double) (1L << 30));
        }
    }

    private void round() {
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT))) {
            train(machine.machine());
            machine.requireNothingLeft();
        }
    }

    /** The memory of the model and its optimizer is freed with the scope. */
    private static void train(RemoteMachine machine) {
        try (Scope scope = machine.scope();
                GpuWorkload training = Works.mlp(WorkSizes.SMALL, machine)) {
            for (int step = 0; step < STEPS; step++) {
                training.step();
            }
        }
    }
}
