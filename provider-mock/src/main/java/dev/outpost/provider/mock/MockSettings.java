package dev.outpost.provider.mock;

import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.provider.GpuType;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.Lifetime;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.source.SourceSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of a mock machine.
 *
 * @param engine starts the engine of a machine; the machine closes it
 * @param provisioning the time of a start
 * @param failure the reason why machines do not start; empty if they do
 * @param quotaBytes the most bytes of the values of a session, or 0 for the smaller of the GPU's memory and half of this JVM's heap
 * @param lease the time for which a session outlives its connection
 * @param idle the time for which a machine lives without an instruction; zero for no limit
 * @param network the quality of the network
 * @param sources the sources of models; they use the stores on this JVM's class path
 * @param versions the versions and features of the protocol that its runtime speaks
 * @param limits the limits of its runtime
 */
public record MockSettings(
        Supplier<Engine> engine,
        Duration provisioning,
        String failure,
        long quotaBytes,
        Duration lease,
        Duration idle,
        MockNetwork network,
        SourceSettings sources,
        ProtocolVersions versions,
        Limits limits) {

    /** The fast engine without delay, a lease of 30 seconds and a perfect network. */
    public static final MockSettings STANDARD = new MockSettings(
            MockEngine.CPU,
            Duration.ZERO,
            "",
            0,
            Duration.ofSeconds(30),
            Duration.ZERO,
            MockNetwork.PERFECT,
            SourceSettings.CLOSED,
            ProtocolVersions.CURRENT,
            Limits.DEFAULT);

    public MockSettings {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(network, "network");
        Objects.requireNonNull(sources, "sources");
        Objects.requireNonNull(limits, "limits");
        if (provisioning.isNegative() || lease.isNegative() || idle.isNegative() || quotaBytes < 0) {
            throw new IllegalArgumentException("settings: expected nothing negative, got provisioning " + provisioning
                    + ", lease " + lease + ", idle " + idle + ", quota " + quotaBytes);
        }
    }

    public MockSettings withEngine(Supplier<Engine> newEngine) {
        return new MockSettings(
                newEngine, provisioning, failure, quotaBytes, lease, idle, network, sources, versions, limits);
    }

    public MockSettings withProvisioning(Duration delay) {
        return new MockSettings(engine, delay, failure, quotaBytes, lease, idle, network, sources, versions, limits);
    }

    public MockSettings withFailure(String reason) {
        return new MockSettings(
                engine, provisioning, reason, quotaBytes, lease, idle, network, sources, versions, limits);
    }

    public MockSettings withQuota(long bytes) {
        return new MockSettings(engine, provisioning, failure, bytes, lease, idle, network, sources, versions, limits);
    }

    public MockSettings withLease(Duration newLease) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, newLease, idle, network, sources, versions, limits);
    }

    public MockSettings withIdle(Duration newIdle) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, lease, newIdle, network, sources, versions, limits);
    }

    public MockSettings withNetwork(MockNetwork newNetwork) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, lease, idle, newNetwork, sources, versions, limits);
    }

    public MockSettings withSources(SourceSettings newSources) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, lease, idle, network, newSources, versions, limits);
    }

    public MockSettings withLimits(Limits newLimits) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, lease, idle, network, sources, versions, newLimits);
    }

    public MockSettings withDialect(ProtocolVersions newVersions) {
        return new MockSettings(
                engine, provisioning, failure, quotaBytes, lease, idle, network, sources, newVersions, limits);
    }

    Lifetime lifetime() {
        return new Lifetime(Optional.empty(), Optional.of(idle).filter(Duration::isPositive));
    }

    long quotaOn(GpuType gpu) {
        if (quotaBytes > 0) {
            return quotaBytes;
        }
        long half = Runtime.getRuntime().maxMemory() / 2;
        return gpu.assuredMemory() == 0 ? half : Math.min(gpu.assuredMemory(), half);
    }
}
