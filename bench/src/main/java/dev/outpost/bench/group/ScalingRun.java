package dev.outpost.bench.group;

import dev.outpost.MachineGroup;
import dev.outpost.sharding.GroupStats;
import java.util.ArrayList;
import java.util.List;

/** A program on its own group, whose steps are timed. */
final class ScalingRun implements AutoCloseable {
    private final MachineGroup group;
    private final Scaling.Case measured;
    private final Runnable step;
    private final List<Double> seconds = new ArrayList<>();
    private GroupStats before = GroupStats.NOTHING;

    ScalingRun(MachineGroup group, Scaling.Case measured) {
        this.group = group;
        this.measured = measured;
        this.step = measured.work().step(group, measured.rows());
    }

    void step() {
        long start = System.nanoTime();
        step.run();
        seconds.add((System.nanoTime() - start) / 1e9);
    }

    /** Drops the measured steps. */
    void begin() {
        seconds.clear();
        before = group.stats();
    }

    /** Returns the point from the steps since {@link #begin}. */
    Scaling.Point point() {
        GroupStats after = group.stats();
        return new Scaling.Point(
                measured.work(),
                measured.members(),
                measured.rows(),
                seconds.stream().sorted().toList().get(seconds.size() / 2),
                (after.totalBytes() - before.totalBytes()) / seconds.size(),
                (int) ((after.exchanges() - before.exchanges()) / seconds.size()));
    }

    @Override
    public void close() {
        group.close();
    }
}
