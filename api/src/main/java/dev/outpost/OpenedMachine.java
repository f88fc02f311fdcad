package dev.outpost;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProviderUnavailableException;
import dev.outpost.provider.Providers;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The machine of a program that calls {@code RemoteMachine.open()}, and why it is this one. */
record OpenedMachine(MachineName name, String reason) {
    /** The system property with the name of the machine. */
    static final String PROPERTY = "outpost.machine";

    /** The environment variable with the name of the machine; the system property takes precedence. */
    static final String VARIABLE = "OUTPOST_MACHINE";

    private static final String PROCESS = "process";
    private static final String MOCK = "mock";

    /** @param options the options of the machine, which decide whether a process can be started */
    static OpenedMachine choose(Map<String, String> options) {
        return choose(System.getProperty(PROPERTY), System.getenv(VARIABLE), Providers.discover(), options);
    }

    static OpenedMachine choose(
            @Nullable String property, @Nullable String variable, Providers providers, Map<String, String> options) {
        if (property != null && !property.isBlank()) {
            return named(PROPERTY, property);
        }
        if (variable != null && !variable.isBlank()) {
            return named(VARIABLE, variable);
        }
        return standard(providers, options);
    }

    private static OpenedMachine named(String setting, String name) {
        try {
            return new OpenedMachine(MachineName.parse(name), "named by " + setting);
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(setting + ": " + failure.getMessage(), failure);
        }
    }

    private static OpenedMachine standard(Providers providers, Map<String, String> options) {
        Collection<String> names = providers.names();
        Optional<String> problem = names.contains(PROCESS)
                ? problem(providers.find(PROCESS), options)
                : Optional.of("dev.outpost:outpost-provider-process is not on the class path");
        if (problem.isEmpty()) {
            return new OpenedMachine(
                    any(PROCESS), "a process on this host; " + VARIABLE + " chooses another, such as k8s:A100");
        }
        if (names.contains(MOCK)) {
            return new OpenedMachine(
                    any(MOCK), "inside this JVM, because " + problem.get() + "; " + VARIABLE + " chooses another");
        }
        throw new IllegalStateException("open: set " + VARIABLE + " to a machine such as k8s:A100, or add "
                + "outpost-provider-process or outpost-provider-mock to the class path; "
                + (names.isEmpty() ? "it has no provider" : "it has " + String.join(", ", names)));
    }

    private static MachineName any(String provider) {
        return new MachineName.OfProvider(provider, GpuType.ANY.name(), 1);
    }

    /** Returns why the provider cannot start machines on this host. A wrong setting is thrown. */
    private static Optional<String> problem(GpuProvider provider, Map<String, String> options) {
        try {
            provider.validate(new MachineSpec(GpuType.ANY, 1, options, PROCESS));
            return Optional.empty();
        } catch (ProviderUnavailableException failure) {
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    /** Returns the choice and its reason, for people. */
    String sentence() {
        return "outpost: the machine is " + name + ", " + reason;
    }
}
