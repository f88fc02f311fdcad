package dev.outpost.rest.worker;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The report of a host.
 *
 * @param host its name, for people
 * @param version of its program
 * @param read the version of the orders that it had read when it made this list
 * @param gpus and {@code machines}: said when it starts, what it has room for
 * @param list all its machines
 */
public record WorkerReport(
        String host,
        String version,
        Long read,
        List<String> gpus,
        Integer machines,
        List<MachineReport> list,
        List<LogReport> logs) {

    /**
     * A machine as its host sees it; how its grants are used is said now and then.
     *
     * @param gpu and {@code labels}: as it was started, for a backend that has lost its row
     */
    public record MachineReport(
            String id,
            int epoch,
            String gpu,
            Map<String, String> labels,
            long applied,
            MachinePhase state,
            String reason,
            EndCause endCause,
            String host,
            Integer port,
            String certificate,
            Instant since,
            List<UseReport> uses) {}

    /** Lines of a machine's log, from a number on. */
    public record LogReport(String id, int epoch, int first, List<String> lines) {}

    /**
     * The use of a grant of a machine.
     *
     * @param lastSeen when a client of it was last heard; absent where none ever was
     * @param liveBytes what the values of its sessions take
     * @param engineNanos what its sessions have had of the engine's time since the machine started
     */
    public record UseReport(String tokenSha256, int sessions, Instant lastSeen, long liveBytes, long engineNanos) {}
}
