package dev.outpost.bench.group;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.provider.process.ProcessProvider;
import dev.outpost.sharding.GroupStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Steps of a program on groups of processes that are pinned to processors. */
final class Scaling {
    /**
     * A measured point.
     *
     * @param members how many
     * @param rows the work of all of them together
     * @param seconds of a step, the median
     * @param reducedBytes that a step sums over all members
     * @param exchanges of a step
     */
    record Point(GroupWork work, int members, int rows, double seconds, long reducedBytes, int exchanges) {
        double rowsPerSecond() {
            return rows / seconds;
        }
    }

    private final Path folder;
    private final int membersOfProcessor;
    private final int steps;

    /** @param membersOfProcessor 1 for a processor each, 2 for half a processor each */
    Scaling(Path folder, int membersOfProcessor, int steps) {
        this.folder = folder;
        this.membersOfProcessor = membersOfProcessor;
        this.steps = steps;
    }

    Point measure(GroupWork work, int members, int rows) throws Exception {
        Map<String, String> options = Map.of(
                "state", folder.resolve("machines").toString(),
                "jar", System.getProperty("outpost.runtime.jar"),
                "flags",
                        System.getProperty("outpost.runtime.flags") + " -XX:ActiveProcessorCount=1"
                                + " -Doutpost.runtime.peers.unix-sockets=false",
                "java", Pinning.java(folder, membersOfProcessor).toString(),
                "cache", "");
        try (MachineGroup group = MachineGroup.of(new ProcessProvider(options), "any", members, new MachineOptions())) {
            Runnable step = work.step(group, rows);
            for (int warm = 0; warm < Math.max(3, steps / 2); warm++) {
                step.run();
            }
            GroupStats before = group.stats();
            List<Double> seconds = new ArrayList<>();
            for (int count = 0; count < steps; count++) {
                long start = System.nanoTime();
                step.run();
                seconds.add((System.nanoTime() - start) / 1e9);
            }
            GroupStats after = group.stats();
            return new Point(
                    work,
                    members,
                    rows,
                    seconds.stream().sorted().toList().get(steps / 2),
                    (after.totalBytes() - before.totalBytes()) / steps,
                    (int) ((after.exchanges() - before.exchanges()) / steps));
        }
    }
}
