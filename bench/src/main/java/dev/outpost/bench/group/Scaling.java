package dev.outpost.bench.group;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.provider.process.ProcessProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Steps of a program on groups of processes that are pinned to processors.
 *
 * @param membersOfProcessor 1 for a processor each, 2 for half a processor each
 */
record Scaling(Path folder, int membersOfProcessor, int steps) {
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

    private static final int WARM_UP = 3;

    /**
     * The programs and groups to measure.
     *
     * @param members how many
     * @param rows the work of all of them together
     */
    record Case(GroupWork work, int members, int rows) {}

    /** The points of the cases, whose groups are there at once and make steps in turns. */
    List<Point> measure(List<Case> cases) throws Exception {
        List<ScalingRun> runs = new ArrayList<>();
        try {
            for (Case each : cases) {
                runs.add(new ScalingRun(open(each.members()), each));
            }
            for (int warm = 0; warm < WARM_UP; warm++) {
                runs.forEach(ScalingRun::step);
            }
            runs.forEach(ScalingRun::begin);
            for (int count = 0; count < steps; count++) {
                runs.forEach(ScalingRun::step);
            }
            return runs.stream().map(ScalingRun::point).toList();
        } finally {
            runs.forEach(ScalingRun::close);
        }
    }

    /** Waits until the machines are there: they take processors in the order in which they start. */
    private MachineGroup open(int members) throws Exception {
        Map<String, String> options = Map.of(
                "state", folder.resolve("machines").toString(),
                "jar", System.getProperty("outpost.runtime.jar"),
                "flags",
                        System.getProperty("outpost.runtime.flags") + " -XX:ActiveProcessorCount=1"
                                + " -Doutpost.runtime.peers.unix-sockets=false",
                "java", Pinning.java(folder, membersOfProcessor).toString(),
                "cache", "");
        return MachineGroup.of(new ProcessProvider(options), "any", members, new MachineOptions())
                .awaitReady();
    }
}
