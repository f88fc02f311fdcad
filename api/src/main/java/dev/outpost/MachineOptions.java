package dev.outpost;

import dev.outpost.channel.client.SlowMachine;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.profile.Profile;
import dev.outpost.client.start.ProgressMode;
import dev.outpost.client.start.StartView;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.support.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a machine beyond its provider and GPU. Each method answers the same object.
 *
 * <pre>{@code
 * RemoteMachine.of("mock", "A100", new MachineOptions().traces(true).option("engine", "reference"));
 * }</pre>
 */
public final class MachineOptions {
    private static final Duration LONGEST_PEER_TIMEOUT = Duration.ofDays(1);

    private int gpuCount = 1;
    private final Map<String, String> options = new HashMap<>();
    private Optional<Consumer<ProvisioningStep>> progress = Optional.empty();
    private MachineLossPolicy machineLossPolicy = MachineLossPolicy.FAIL;
    private Optional<Path> profile = Optional.empty();
    private static final Duration MOST_PEER_TIMEOUT = Duration.ofDays(1);

    private Optional<Duration> peerTimeout = Optional.empty();
    private SessionSettings session = configured();

    private static SessionSettings configured() {
        SessionSettings session =
                SessionSettings.DEFAULT.withTraces(Boolean.parseBoolean(System.getenv("OUTPOST_TRACES")));
        String timeout = System.getenv(SlowMachine.VARIABLE);
        if (timeout == null || timeout.isBlank()) {
            return session;
        }
        try {
            return session.withConnectTimeout(Durations.parse(timeout));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(
                    SlowMachine.VARIABLE + ": " + failure.getMessage() + ", got \"" + timeout + "\"", failure);
        }
    }

    /**
     * How many GPUs; several compute as one, see {@link MachineGroup}.
     *
     * @param count 1 or more
     */
    public MachineOptions gpuCount(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("gpuCount: expected 1 or more, got " + count);
        }
        gpuCount = count;
        return this;
    }

    /** A setting of the provider's own. */
    public MachineOptions option(String name, String value) {
        options.put(
                ArgumentChecks.required(name, "the option"), ArgumentChecks.required(value, "the value of " + name));
        return this;
    }

    /**
     * Hears what is done until the machine has answered ({@code READY}); must not block. Takes the place of the line, or
     * the log, by which a person is told.
     */
    public MachineOptions progress(Consumer<ProvisioningStep> listener) {
        progress = Optional.of(listener);
        return this;
    }

    /**
     * The policy for new tensors when the machine was lost; {@link MachineLossPolicy#FAIL} unless set. One that ended because
     * nobody used it for as long as had been agreed is replaced in either case.
     */
    public MachineOptions onLoss(MachineLossPolicy policy) {
        machineLossPolicy = Objects.requireNonNull(policy, "onLoss");
        return this;
    }

    /** How long to wait for the provider to say why the machine is gone; 2 seconds where nothing is said. */
    public MachineOptions lossTimeout(Duration timeout) {
        session = session.withLossTimeout(ArgumentChecks.required(timeout, "the timeout"));
        return this;
    }

    /**
     * How long an attempt at a connection to the machine may take, and how long the first connection is tried for. 10 seconds, or what the
     * environment variable {@code OUTPOST_CONNECT_TIMEOUT} says, such as {@code 30s}. A busy machine may need longer.
     *
     * @param timeout above zero
     */
    public MachineOptions connectTimeout(Duration timeout) {
        session = session.withConnectTimeout(ArgumentChecks.required(timeout, "the timeout"));
        return this;
    }

    /**
     * Limits each wait of {@link RemoteMachine#close}: for the first answer of a machine that the provider has handed out, and then for
     * the machine's remaining work. The default is 30 seconds. Independently of this limit, {@code close} stops waiting if a machine that
     * has answered before is silent for five seconds.
     *
     * @param limit zero or more
     */
    public MachineOptions closeLimit(Duration limit) {
        session = session.withCloseTimeout(ArgumentChecks.required(limit, "the limit"));
        return this;
    }

    /**
     * How long a call waits for a machine that gets nowhere: no bytes of a read come, and no segment of the program is done. It
     * holds for reads, {@code synchronize}, {@code explain}, scans, uploads, and wherever the program waits for room. One hour where
     * nothing is said. Time in which the machine is still being started does not count.
     */
    public MachineOptions readLimit(Duration limit) {
        session = session.withReadLimit(limit);
        return this;
    }

    /**
     * How long a machine of a {@link MachineGroup} waits for another one, where they exchange something; five minutes where nothing
     * is said. A machine that does not come ends the group.
     *
     * @param timeout above zero, and one day at most
     */
    public MachineOptions peerTimeout(Duration timeout) {
        boolean isLongEnough = ArgumentChecks.required(timeout, "the timeout").isPositive();
        if (!isLongEnough || timeout.compareTo(LONGEST_PEER_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "peerTimeout: expected a time above zero and up to " + LONGEST_PEER_TIMEOUT + ", got " + timeout);
        }
        if (timeout.toMillis() < 1 || timeout.compareTo(MOST_PEER_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "peerTimeout: expected from 1 ms to " + MOST_PEER_TIMEOUT + ", got " + timeout);
        }
        peerTimeout = Optional.of(timeout);
        return this;
    }

    Optional<Duration> peerTimeout() {
        return peerTimeout;
    }

    /**
     * Whether tensors may be compressed on their way, without a loss, where that is measured to be faster; true where nothing
     * is said. Nothing is compressed on links that take more than 40 MB a second, nor by or for a machine that cannot.
     */
    public MachineOptions compression(boolean enabled) {
        ProtocolVersions versions =
                enabled ? ProtocolVersions.CURRENT : ProtocolVersions.CURRENT.without(Set.of(Feature.PACKED_BULK));
        session = session.withDialect(versions);
        return this;
    }

    /** The versions and features of the protocol that the client speaks, for tests of older ones. */
    MachineOptions speaking(ProtocolVersions versions) {
        session = session.withDialect(versions);
        return this;
    }

    /** Whether faults name the line of the program that recorded the op; costs a stack walk an op. */
    public MachineOptions traces(boolean enabled) {
        session = session.withTraces(enabled);
        return this;
    }

    /**
     * Writes to that file, when the machine is closed, what program, wire and engine did and when: a trace for
     * chrome://tracing and ui.perfetto.dev. Costs some percent of the program's time, and 100 to 200 bytes of memory an
     * event, up to a million of the program's and as many of the engine's.
     */
    public MachineOptions profile(Path file) {
        profile = Optional.of(file);
        return this;
    }

    /**
     * How many bytes of tensors the program may hold before it looks for garbage-collected ones. Unless it is said here, 256 MiB; and
     * where to look takes more than an eighth of the time, more, up to a quarter of what the machine has for the program.
     */
    public MachineOptions highWaterBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("highWaterBytes: expected nothing negative, got " + bytes);
        }
        session = session.withHighWaterBytes(bytes);
        return this;
    }

    /** Where the machine is there already, nothing can be said of what it is to be like. */
    void requireNoneOfAMachine() {
        if (gpuCount != 1 || !options.isEmpty()) {
            throw new IllegalArgumentException(
                    "attach: the machine is what it is, so expected neither options nor a count" + " of GPUs, got "
                            + options.keySet() + " and " + gpuCount);
        }
    }

    int gpuCount() {
        return gpuCount;
    }

    Map<String, String> options() {
        return options;
    }

    /** A new one, or null where none was asked for. */
    @Nullable
    Profile profile() {
        return profile.map(Profile::to).orElse(null);
    }

    MachineLossPolicy onLoss() {
        return machineLossPolicy;
    }

    /** The view of the start of a machine of that name, from now on. */
    StartView view(String name) {
        return progress.<StartView>map(listener -> listener::accept)
                .orElseGet(() -> ProgressMode.configured().view(name));
    }

    SessionSettings session() {
        return session;
    }
}
