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
 * The settings of a machine beyond its provider and GPU. Each setter returns this object.
 *
 * <pre>{@code
 * RemoteMachine.of("mock", "A100", new MachineOptions().traces(true).option("engine", "reference"));
 * }</pre>
 */
public final class MachineOptions {
    private static final Duration MIN_IDLE = Duration.ofMillis(10);
    private static final Duration MIN_PEER_TIMEOUT = Duration.ofMillis(1);
    private static final Duration MAX_PEER_TIMEOUT = Duration.ofDays(1);
    /** The maximum length of a store's URI, so that it fits into a request. */
    private static final int MAX_STORE = 1000;

    private int gpuCount = 1;
    private final Map<String, String> options = new HashMap<>();
    private Optional<Consumer<ProvisioningStep>> progress = Optional.empty();
    private MachineLossPolicy machineLossPolicy = MachineLossPolicy.FAIL;
    private Optional<Path> profile = Optional.empty();
    private Optional<String> store = Optional.empty();
    private Optional<Duration> pauseWhenIdle = Optional.empty();
    private boolean keepsStates;

    private Optional<Duration> peerTimeout = Optional.empty();
    private SessionSettings session = configured();

    /** Returns true for {@code true} and {@code 1}. */
    private static boolean isOn(@Nullable String setting) {
        return setting != null && (setting.equalsIgnoreCase("true") || setting.equals("1"));
    }

    private static SessionSettings configured() {
        SessionSettings session = SessionSettings.DEFAULT
                .withTraces(Boolean.parseBoolean(System.getenv("OUTPOST_TRACES")))
                .withEager(isOn(System.getProperty("outpost.eager", System.getenv("OUTPOST_EAGER"))));
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
     * Sets the number of GPUs. Several GPUs compute as one; see {@link MachineGroup}.
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

    /** Sets an option that the provider defines. */
    public MachineOptions option(String name, String value) {
        options.put(
                ArgumentChecks.required(name, "the option"), ArgumentChecks.required(value, "the value of " + name));
        return this;
    }

    /**
     * Sets a listener for the steps of the start, up to the machine's first answer ({@code READY}). It must not block. It replaces the
     * progress line or log that the client shows by default.
     */
    public MachineOptions progress(Consumer<ProvisioningStep> listener) {
        progress = Optional.of(listener);
        return this;
    }

    /**
     * Sets the policy for new tensors after the machine was lost. The default is {@link MachineLossPolicy#FAIL}. A machine that ended
     * because it was idle for the agreed time is replaced under both policies.
     */
    public MachineOptions onLoss(MachineLossPolicy policy) {
        machineLossPolicy = Objects.requireNonNull(policy, "onLoss");
        return this;
    }

    /**
     * Sets the location that {@link RemoteMachine#pause} writes the machine's state to, such as {@code file:/states} or {@code
     * s3://bucket/states}. The machine reads and writes it, so its settings must allow the location; the client needs no access.
     */
    public MachineOptions store(String uri) {
        if (ArgumentChecks.required(uri, "the store").length() > MAX_STORE) {
            throw new IllegalArgumentException(
                    "store: expected a URI of at most " + MAX_STORE + " characters, got " + uri.length());
        }
        store = Optional.of(uri);
        return this;
    }

    /**
     * {@linkplain RemoteMachine#pause Pauses} the machine when the program has not used it for this time, and the machine has done its
     * work. The next use resumes it. A {@link #store} is needed. If a pause fails, the client logs the reason, and tries again after the
     * same time.
     *
     * @param after a time of at least 10 milliseconds
     */
    public MachineOptions pauseWhenIdle(Duration after) {
        if (ArgumentChecks.required(after, "the time").compareTo(MIN_IDLE) < 0) {
            throw new IllegalArgumentException("pauseWhenIdle: expected at least 10 ms, got " + after);
        }
        pauseWhenIdle = Optional.of(after);
        return this;
    }

    /** Throws if the machine cannot be paused as these options demand. */
    void requirePausable(boolean isGroup) {
        if (pauseWhenIdle.isPresent() && isGroup) {
            throw new IllegalArgumentException("pauseWhenIdle: a group of machines cannot be paused");
        }
        if (pauseWhenIdle.isPresent() && store.isEmpty()) {
            throw new IllegalArgumentException("pauseWhenIdle: the machine needs a store for its state; set one by"
                    + " MachineOptions.store(\"file:/states\")");
        }
    }

    Optional<Duration> pauseWhenIdle() {
        return pauseWhenIdle;
    }

    /**
     * Sets whether the machine's states stay in the {@link #store} when the machine is closed. The default is false: closing deletes them,
     * because only the program that wrote them can load them. The states of a machine that is closed while it is paused always stay.
     */
    public MachineOptions keepStates(boolean enabled) {
        keepsStates = enabled;
        return this;
    }

    /** Sets the time to wait until the provider reports why a machine was lost. The default is 2 seconds. */
    public MachineOptions lossTimeout(Duration timeout) {
        session = session.withLossTimeout(ArgumentChecks.required(timeout, "the timeout"));
        return this;
    }

    /**
     * Limits each attempt to connect to the machine, and the total time of attempts until the first connection. The default is 10
     * seconds, or the value of the environment variable {@code OUTPOST_CONNECT_TIMEOUT}, such as {@code 30s}. A busy machine may need
     * longer.
     *
     * @param timeout a positive time
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
     * @param limit a time of zero or more
     */
    public MachineOptions closeLimit(Duration limit) {
        session = session.withCloseTimeout(ArgumentChecks.required(limit, "the limit"));
        return this;
    }

    /**
     * Limits how long a call waits for a machine that makes no progress: no bytes of a read arrive, and no segment of the program
     * completes. The limit applies to reads, {@code synchronize}, {@code explain}, scans, uploads, and to waits for free buffer space.
     * The default is one hour. The time before the machine has started does not count.
     */
    public MachineOptions readLimit(Duration limit) {
        session = session.withReadLimit(limit);
        return this;
    }

    /**
     * Limits how long a machine of a {@link MachineGroup} waits for another one in an exchange. The default is five minutes. If a
     * machine does not take part in time, the group ends.
     *
     * @param timeout a time from one millisecond to one day
     */
    public MachineOptions peerTimeout(Duration timeout) {
        boolean isTooLong = ArgumentChecks.required(timeout, "the timeout").compareTo(MAX_PEER_TIMEOUT) > 0;
        if (isTooLong || timeout.compareTo(MIN_PEER_TIMEOUT) < 0) {
            throw new IllegalArgumentException(
                    "peerTimeout: expected from 1 ms to " + MAX_PEER_TIMEOUT + ", got " + timeout);
        }
        peerTimeout = Optional.of(timeout);
        return this;
    }

    Optional<Duration> peerTimeout() {
        return peerTimeout;
    }

    /**
     * Allows or forbids lossless compression of tensors on the network. It is allowed by default, and used if measurements show that it
     * is faster. It is not used on links faster than 40 MB a second, or with a machine that does not support it.
     */
    public MachineOptions compression(boolean enabled) {
        ProtocolVersions versions =
                enabled ? ProtocolVersions.CURRENT : ProtocolVersions.CURRENT.without(Set.of(Feature.PACKED_BULK));
        session = session.withDialect(versions);
        return this;
    }

    /** Sets the protocol versions and features that the client offers. Tests use it to act as an older client. */
    MachineOptions speaking(ProtocolVersions versions) {
        session = session.withDialect(versions);
        return this;
    }

    /**
     * Makes faults name the line of the program that recorded the op. Costs one stack walk per op.
     *
     * {@snippet file="MachineExamplesTest.java" region="options"}
     */
    public MachineOptions traces(boolean enabled) {
        session = session.withTraces(enabled);
        return this;
    }

    /**
     * Runs each op on its own and waits for it, so that an error is thrown by the line that caused it. Slow: each op takes a round
     * trip. The default is the system property {@code outpost.eager}, or else the environment variable {@code OUTPOST_EAGER}. Ops of a
     * traced program run together all the same.
     *
     * {@snippet file="MachineExamplesTest.java" region="eager"}
     */
    public MachineOptions eager(boolean enabled) {
        session = session.withEager(enabled);
        return this;
    }

    /**
     * Writes a timeline of program, network and engine to a file when the machine is closed. chrome://tracing and ui.perfetto.dev show
     * it. Costs a few percent of the program's time, and 100 to 200 bytes of memory per event, for up to a million events of the
     * program and a million of the engine.
     */
    public MachineOptions profile(Path file) {
        profile = Optional.of(file);
        return this;
    }

    /**
     * Sets the bytes of tensors that the program may hold before the client searches for garbage-collected ones. The default is 256
     * MiB. If searching takes more than an eighth of the time, the default grows, up to a quarter of the program's memory on the
     * machine.
     */
    public MachineOptions highWaterBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("highWaterBytes: expected nothing negative, got " + bytes);
        }
        session = session.withHighWaterBytes(bytes);
        return this;
    }

    /**
     * Throws if the number of GPUs or an option of the provider is set, since an existing machine cannot be changed.
     */
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

    Optional<String> store() {
        return store;
    }

    boolean keepsStates() {
        return keepsStates;
    }

    /** Returns a new profile, or null if none was requested. */
    @Nullable
    Profile profile() {
        return profile.map(Profile::to).orElse(null);
    }

    MachineLossPolicy onLoss() {
        return machineLossPolicy;
    }

    /** Returns the view that shows the start of a machine of this name. */
    StartView view(String name) {
        return progress.<StartView>map(listener -> listener::accept)
                .orElseGet(() -> ProgressMode.configured().view(name));
    }

    SessionSettings session() {
        return session;
    }
}
