package dev.outpost.runtime.session.context;

import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.runtime.source.SourceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a runtime.
 *
 * @param quotaBytes the maximum number of bytes of one session's values
 * @param machineBytes the maximum number of bytes of all sessions' values together
 * @param lease the time for which a session stays alive after its last frame
 * @param turns the number of sessions that may use the engine at once, if the engine can serve that many
 * @param limits the runtime's limits
 * @param sources the sources from which the runtime may read models
 * @param versions the versions and features of the protocol that the runtime supports
 * @param instructionLog the file for the log of the messages and instructions of sessions; empty for none
 */
public record RuntimeSettings(
        long quotaBytes,
        long machineBytes,
        Duration lease,
        int turns,
        Limits limits,
        SourceSettings sources,
        ProtocolVersions versions,
        Optional<Path> instructionLog) {

    public RuntimeSettings {
        if (quotaBytes < 0 || machineBytes < 0 || lease.isNegative() || turns < 1) {
            throw new IllegalArgumentException("settings must be positive, got quota " + quotaBytes + ", machine "
                    + machineBytes + ", lease " + lease + ", turns " + turns);
        }
    }

    /** Returns defaults: a lease of 30 seconds, as many time slices as processors, no bound on all sessions, {@link Limits#DEFAULT}. */
    public static RuntimeSettings withQuota(long quotaBytes) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new RuntimeSettings(
                quotaBytes,
                Long.MAX_VALUE,
                Duration.ofSeconds(30),
                processors,
                Limits.DEFAULT,
                SourceSettings.CLOSED,
                ProtocolVersions.CURRENT,
                Optional.empty());
    }

    public RuntimeSettings withMachineBytes(long newMachineBytes) {
        return new RuntimeSettings(
                quotaBytes, newMachineBytes, lease, turns, limits, sources, versions, instructionLog);
    }

    public RuntimeSettings withLease(Duration newLease) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, newLease, turns, limits, sources, versions, instructionLog);
    }

    public RuntimeSettings withTurns(int newTurns) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, lease, newTurns, limits, sources, versions, instructionLog);
    }

    public RuntimeSettings withLimits(Limits newLimits) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, lease, turns, newLimits, sources, versions, instructionLog);
    }

    public RuntimeSettings withSources(SourceSettings newSources) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, lease, turns, limits, newSources, versions, instructionLog);
    }

    public RuntimeSettings withDialect(ProtocolVersions newVersions) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, lease, turns, limits, sources, newVersions, instructionLog);
    }

    public RuntimeSettings withInstructionLog(Path file) {
        return new RuntimeSettings(
                quotaBytes, machineBytes, lease, turns, limits, sources, versions, Optional.of(file));
    }

    public RuntimeSettings withMaxSessions(int newMaxSessions) {
        return withLimits(limits.withSessions(newMaxSessions));
    }
}
