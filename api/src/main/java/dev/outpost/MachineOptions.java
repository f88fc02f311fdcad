package dev.outpost;

import dev.outpost.client.SessionSettings;
import dev.outpost.provider.ProvisioningStep;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What may be said of a machine beyond its provider and GPU. Each method answers the same object.
 *
 * <pre>{@code
 * RemoteMachine.of("mock", "A100", new MachineOptions().traces(true).option("engine", "reference"));
 * }</pre>
 */
public final class MachineOptions {
    private int gpuCount = 1;
    private final Map<String, String> options = new HashMap<>();
    private Consumer<ProvisioningStep> progress = step -> {};
    private SessionSettings session =
            SessionSettings.DEFAULT.withTraces(Boolean.parseBoolean(System.getenv("OUTPOST_TRACES")));

    /** How many GPUs; 1 is all that is supported so far. */
    public MachineOptions gpuCount(int count) {
        gpuCount = count;
        return this;
    }

    /** A setting of the provider's own. */
    public MachineOptions option(String name, String value) {
        options.put(name, value);
        return this;
    }

    /** Hears what the provider does until the machine is there; must not block. */
    public MachineOptions progress(Consumer<ProvisioningStep> listener) {
        progress = listener;
        return this;
    }

    /** Whether faults name the line of the program that recorded the op; costs a stack walk an op. */
    public MachineOptions traces(boolean enabled) {
        session = session.withTraces(enabled);
        return this;
    }

    /** How many bytes of tensors the program may hold before it looks for garbage-collected ones. */
    public MachineOptions highWaterBytes(long bytes) {
        session = session.withHighWaterBytes(bytes);
        return this;
    }

    int gpuCount() {
        return gpuCount;
    }

    Map<String, String> options() {
        return options;
    }

    Consumer<ProvisioningStep> progress() {
        return progress;
    }

    SessionSettings session() {
        return session;
    }
}
