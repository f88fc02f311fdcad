package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Runs random programs on a GPU, each as a whole and with a read after each op: fused, planned and captured code must have the same bits
 * as single ops.
 */
final class RandomProgramsOnGpu {
    private static final int OPS = 24;

    /** The first run launches single kernels, the second one captures them, and the third one launches the graph. */
    private static final int WHOLE_RUNS = 3;

    private static final int MAX_WRONG = 50;

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;
    private final TimeLimit time;

    RandomProgramsOnGpu(GpuUnderCheck gpu, CheckLimits limits, TimeLimit time) {
        this.gpu = gpu;
        this.limits = limits;
        this.time = time;
    }

    GpuFinding run() {
        long seed = limits.firstSeed();
        List<String> wrong = new ArrayList<>();
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT))) {
            do {
                compare(machine.machine(), seed++, wrong);
            } while (!time.isOver() && wrong.size() < MAX_WRONG);
            requireNone(wrong, seed - limits.firstSeed());
            machine.requireNothingLeft();
        }
        long programs = seed - limits.firstSeed();
        return GpuFinding.of(
                Map.of("programs", (double) programs),
                "%d programs of %d ops, from seed %d on: fused and as graphs the bits of one by one",
                programs,
                OPS,
                limits.firstSeed());
    }

    private static void requireNone(List<String> wrong, long programs) {
        if (!wrong.isEmpty()) {
            throw new WrongAnswerException(
                    wrong.size() + " of " + programs + " programs differ, the first: " + wrong.getFirst(), wrong);
        }
    }

    private static void compare(RemoteMachine machine, long seed, List<String> wrong) {
        try {
            compare(machine, seed);
        } catch (RuntimeException failure) {
            wrong.add("the program with seed " + seed + ": " + failure.getMessage());
        }
    }

    private static void compare(RemoteMachine machine, long seed) {
        List<byte[]> expected = new RandomProgram(machine, seed, OPS).run(true);
        for (int run = 1; run <= WHOLE_RUNS; run++) {
            List<byte[]> found = new RandomProgram(machine, seed, OPS).run(false);
            for (int value = 0; value < expected.size(); value++) {
                if (!Arrays.equals(expected.get(value), found.get(value))) {
                    throw new WrongAnswerException("value " + value + " differs in run " + run + " as a whole");
                }
            }
        }
    }
}
