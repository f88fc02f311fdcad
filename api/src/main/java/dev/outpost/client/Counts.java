package dev.outpost.client;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a session has recorded so far. Guarded by the session's lock. */
final class Counts {
    private static final int MAX_REMEMBERED_STRUCTURES = 4096;

    private final Map<Integer, Boolean> structures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > MAX_REMEMBERED_STRUCTURES;
        }
    };
    private long opsRecorded;
    private long instructions;
    private long segments;
    private long repeatedSegments;

    void recorded(Op op) {
        instructions++;
        if (!(op instanceof AsStrided)) {
            opsRecorded++;
        }
    }

    /** A segment was sealed; whether it repeats another is told by the hash of its structure, which will do for a count. */
    void sealed(byte[] structure) {
        segments++;
        if (structures.put(Arrays.hashCode(structure), Boolean.TRUE) != null) {
            repeatedSegments++;
        }
    }

    MachineStats stats(Message.Progress progress, long waits, Traffic traffic, Provisioning provisioning) {
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
                provisioning);
    }
}
