package dev.outpost.rest.worker;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a worker host. The first report after a start of the host has {@code gpus} and {@code machines}.
 *
 * @param host the host's name, for people
 * @param version the version of the host's program
 * @param read the version of the orders that it had carried out before it made this list
 * @param gpus the kinds of its GPUs
 * @param machines the number of machines that it has room for
 * @param list all its machines
 */
public record WorkerReport(
        String host,
        String version,
        @Nullable Long read,
        @Nullable List<String> gpus,
        @Nullable Integer machines,
        List<MachineReport> list,
        @Nullable List<LogReport> logs) {

    /**
     * The host's view of a machine. A backend that has lost the machine's row restores it by {@code gpu} and {@code labels}.
     *
     * @param epoch the number of the attempt to start it, from 1
     * @param gpu the kind of GPU that it was started with
     * @param labels the labels that it was started with
     * @param applied the version of the last order that was carried out
     * @param reason a sentence about its state
     * @param host the host at which it serves
     * @param port the port at which it serves
     * @param certificate the SHA-256 of its certificate, in hex
     * @param since the time at which the state began
     * @param uses the use of its grants; absent from most reports
     */
    public record MachineReport(
            String id,
            int epoch,
            @Nullable String gpu,
            @Nullable Map<String, String> labels,
            long applied,
            MachinePhase state,
            @Nullable String reason,
            @Nullable EndCause endCause,
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String certificate,
            Instant since,
            @Nullable List<UseReport> uses) {}

    /**
     * Lines of a machine's log.
     *
     * @param epoch the number of the attempt to start it, from 1
     * @param first the number of the first line
     */
    public record LogReport(String id, int epoch, int first, List<String> lines) {}

    /**
     * The use of a grant of a machine.
     *
     * @param sessions the number of open sessions
     * @param lastSeen the time at which a client of the grant was last heard; absent if none ever was
     * @param liveBytes the number of bytes of the values of its sessions
     * @param engineNanos the engine time of its sessions since the machine started, in nanoseconds
     */
    public record UseReport(
            String tokenSha256, int sessions, @Nullable Instant lastSeen, long liveBytes, long engineNanos) {}
}
