package dev.outpost.client.group;

import dev.outpost.stats.MachineStats;

/** The sum of the counters of all members' sessions. */
final class SummedStats {
    private SummedStats() {}

    /** Adds two counters. Numbers that describe the program or a start are taken from the first counters. */
    static MachineStats of(MachineStats first, MachineStats second) {
        return new MachineStats(
                first.opsRecorded(),
                first.instructions() + second.instructions(),
                first.segments() + second.segments(),
                first.repeatedSegments() + second.repeatedSegments(),
                first.frames() + second.frames(),
                first.waits() + second.waits(),
                first.bytesOut() + second.bytesOut(),
                first.bytesIn() + second.bytesIn(),
                first.controlBytesOut() + second.controlBytesOut(),
                first.liveBytes() + second.liveBytes(),
                first.liveValues() + second.liveValues(),
                first.engineNanos() + second.engineNanos(),
                first.kernels() + second.kernels(),
                first.plans() + second.plans(),
                first.provisioning(),
                first.hint());
    }
}
