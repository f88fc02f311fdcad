package dev.outpost.bench.group;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.provider.process.ProcessProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures steps of a program on groups of processes that are pinned to processors.
 *
 * @param membersOfProcessor 1 for one processor for each member, 2 for half a processor each
 */
record Scaling(Path folder, int membersOfProcessor, int steps) {
    /**
     * A measured point.
     *
     * @param members number of members
     * @param rows the work of all members together
     * @param seconds the median time of a step
     * @param reducedBytes bytes that a step sums over all members
     * @param exchanges number of exchanges in a step
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
     * @param members number of members
     * @param rows the work of all members together
     */
    record Case(GroupWork work, int members, int rows) {}

    /** Measures the cases. All groups exist at once and make steps alternately. */
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

    /** Opens a group. Waits until its machines have started, because they take processors in the order of their starts. */
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
