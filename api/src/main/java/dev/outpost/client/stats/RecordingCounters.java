package dev.outpost.client.stats;

import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;

/** The counters of a session's recording. Guarded by the session's lock. */
public final class RecordingCounters {
    private long opsRecorded;
    private long instructions;
    private long segments;
    private long repeatedSegments;

    public void recorded(Op op) {
        instructions++;
        if (!(op instanceof AsStrided)) {
            opsRecorded++;
        }
    }

    /** Counts a sealed segment, which was sent as a whole or as a repeat of an earlier one. */
    public void sealed(boolean isRepeat) {
        segments++;
        if (isRepeat) {
            repeatedSegments++;
        }
    }

    public MachineStats stats(
            ToClient.Progress progress, long waits, Traffic traffic, Provisioning provisioning, String hint) {
        return new MachineStats(
                opsRecorded,
                instructions,
                segments,
                repeatedSegments,
                traffic.frames(),
                waits,
                traffic.bytesOut(),
                traffic.bytesIn(),
                traffic.controlBytesOut(),
                progress.liveBytes(),
                progress.liveValues(),
                progress.engineNanos(),
                progress.kernels(),
                progress.plans(),
                provisioning,
                hint);
    }
}
