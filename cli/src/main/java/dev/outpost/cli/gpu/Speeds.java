package dev.outpost.cli.gpu;

import dev.outpost.RemoteMachine;
import dev.outpost.runtime.cuda.check.GpuUnderCheck;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Measures each work as a program calls it, from the first call until what comes behind the last can be read. */
final class Speeds {
    private static final int WARM_UP = 4;
    private static final int FEWEST = 3;
    private static final int MOST = 500;

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;
    private final BiConsumer<String, Supplier<Finding>> step;

    /** @param step does a step of a name, whose failure does not keep the others from being tried */
    Speeds(GpuUnderCheck gpu, CheckLimits limits, BiConsumer<String, Supplier<Finding>> step) {
        this.gpu = gpu;
        this.limits = limits;
        this.step = step;
    }

    void run() {
        Peer peer = new Peer(limits);
        step.accept("PyTorch", peer::measure);
        for (MeasuredWork work : MeasuredWork.ALL) {
            step.accept(work.name(), () -> measure(work, peer));
        }
    }

    private Finding measure(MeasuredWork work, Peer peer) {
        double milliseconds = milliseconds(work);
        Map<String, Double> figures = new LinkedHashMap<>(Map.of("milliseconds", milliseconds));
        StringBuilder detail = new StringBuilder(String.format(Locale.ROOT, "%.3f ms", milliseconds));
        for (Aim aim : work.aims()) {
            peer.milliseconds(work.name(), aim.peer()).ifPresent(other -> {
                figures.put("PyTorch " + aim.peer() + " milliseconds", other);
                detail.append("; ").append(aim.told(milliseconds, other));
            });
        }
        return new Finding(false, detail.toString(), figures);
    }

    private double milliseconds(MeasuredWork measured) {
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT));
                Work work = measured.work().apply(limits.sizes(), machine.machine())) {
            run(machine.machine(), work, WARM_UP);
            double one = run(machine.machine(), work, 1);
            int repeats = Math.clamp((long) (limits.repeatTime().toMillis() / one), FEWEST, MOST);
            return run(machine.machine(), work, repeats);
        }
    }

    /** Milliseconds of a step. What is read is computed behind all steps, in the device's order. */
    private static double run(RemoteMachine machine, Work work, int steps) {
        machine.ones(1).item();
        long start = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            work.step();
        }
        machine.ones(1).item();
        return (System.nanoTime() - start) / 1e6 / steps;
    }
}
