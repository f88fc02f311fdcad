package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Measures each work as a program calls it, from the first call until a value that is computed after the last one can be read. */
final class Speeds {
    private static final int WARM_UP = 4;

    /** The warm-up takes this many times as long as the measurement. */
    private static final int WARM_UP_TIMES = 4;

    private static final int FEWEST = 3;
    private static final int MAX = 500;
    /** The fraction of a copy's rate at which weights should be read. */
    private static final double SHARE = 0.7;

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;
    private final BiConsumer<String, Supplier<GpuFinding>> step;
    private final Peer peer;

    /** @param step runs a named step; after a failure the others are still tried */
    Speeds(GpuUnderCheck gpu, CheckLimits limits, BiConsumer<String, Supplier<GpuFinding>> step) {
        this.gpu = gpu;
        this.limits = limits;
        this.step = step;
        peer = new Peer(limits.sizes());
    }

    /**
     * Measures works and compares them with the peer, for which half of the time is reserved.
     *
     * @param from the number of works that earlier runs measured
     */
    PartProgress run(List<MeasuredWork> works, long from, TimeLimit time) {
        List<MeasuredWork> left = works.subList((int) Math.min(from, works.size()), works.size());
        step.accept("PyTorch", () -> peer.measure(left, time.most().dividedBy(2)));
        int done = works.size() - left.size();
        for (MeasuredWork work : left) {
            if (time.isOver()) {
                break;
            }
            step.accept(work.name(), () -> measure(work));
            done++;
        }
        PartProgress progress = new PartProgress(done, works.size());
        if (!progress.isComplete()) {
            step.accept("works that were not measured", () -> GpuFinding.skipped(progress.describe()));
        }
        return progress;
    }

    private GpuFinding measure(MeasuredWork work) {
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT))) {
            if (work.needs() > machine.quota()) {
                return GpuFinding.skipped(String.format(
                        Locale.ROOT,
                        "its weights take %d MB, and values may take %d MB",
                        work.needs() >> 20,
                        machine.quota() >> 20));
            }
            return measure(work, machine.machine());
        }
    }

    private GpuFinding measure(MeasuredWork work, RemoteMachine machine) {
        double milliseconds = milliseconds(work, machine);
        Map<String, Double> figures = new LinkedHashMap<>(Map.of("milliseconds", milliseconds));
        StringBuilder detail = new StringBuilder(String.format(Locale.ROOT, "%.3f ms", milliseconds));
        if (work.reads() > 0) {
            addShare(work.reads() / milliseconds, machine, figures, detail);
        }
        if (work.tokens() > 0) {
            double rate = 1000 * work.tokens() / milliseconds;
            figures.put("tokens/s", rate);
            detail.append(String.format(Locale.ROOT, "; %.0f tokens/s of %d texts", rate, work.tokens()));
        }
        for (Aim aim : work.aims()) {
            peer.milliseconds(work.name(), aim.peer()).ifPresent(other -> {
                figures.put(aim.peerName() + " milliseconds", other);
                detail.append("; ").append(aim.describe(milliseconds, other));
            });
        }
        return new GpuFinding(false, detail.toString(), figures);
    }

    /** Compares a work that reads each weight once with a copy, which reads and writes each element. */
    private void addShare(
            double bytesOfMillisecond, RemoteMachine machine, Map<String, Double> figures, StringBuilder detail) {
        MeasuredWork copy = new MeasuredWork("copy", Works::copy, List.of());
        double copied = 2.0 * limits.sizes().chain() * Float.BYTES / milliseconds(copy, machine);
        double share = bytesOfMillisecond / copied;
        figures.put("GB/s of weights", bytesOfMillisecond / 1e6);
        figures.put("GB/s of a copy", copied / 1e6);
        detail.append(String.format(
                Locale.ROOT,
                "; weights at %.1f GB/s, %.2f of a copy (aim %.2f, %s)",
                bytesOfMillisecond / 1e6,
                share,
                SHARE,
                share >= SHARE ? "reached" : "missed"));
    }

    private double milliseconds(MeasuredWork measured, RemoteMachine machine) {
        try (GpuWorkload gpuWorkload = measured.work().apply(limits.sizes(), machine)) {
            double one = warm(machine, gpuWorkload);
            return run(machine, gpuWorkload, repeats(one));
        }
    }

    /** Returns the milliseconds of a step after a warm-up, because Java's interpreter runs the first steps. */
    private double warm(RemoteMachine machine, GpuWorkload gpuWorkload) {
        long end = System.nanoTime() + WARM_UP_TIMES * limits.repeatTime().toNanos();
        double one = run(machine, gpuWorkload, WARM_UP);
        while (System.nanoTime() < end) {
            one = run(machine, gpuWorkload, repeats(one));
        }
        return one;
    }

    private int repeats(double milliseconds) {
        return Math.clamp((long) (limits.repeatTime().toMillis() / milliseconds), FEWEST, MAX);
    }

    /** Returns the milliseconds of a step. The value that is read is computed after all steps, in the device's order. */
    private static double run(RemoteMachine machine, GpuWorkload gpuWorkload, int steps) {
        machine.ones(1).item();
        long start = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            gpuWorkload.step();
        }
        machine.ones(1).item();
        return (System.nanoTime() - start) / 1e6 / steps;
    }
}
