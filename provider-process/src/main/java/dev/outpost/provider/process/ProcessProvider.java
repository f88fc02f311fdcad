package dev.outpost.provider.process;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSettings;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Machines that are runtime processes on this host. The settings are those of {@link
 * dev.outpost.provider.process.config.ProcessSetting}; the options of a machine have the same names and override them.
 */
public final class ProcessProvider implements GpuProvider, FleetProvider {
    private final Map<String, String> options;

    /** Makes a provider with the settings of this process. */
    public ProcessProvider() {
        this(Map.of());
    }

    /** @param options override the settings of this process; the options of a machine override both */
    public ProcessProvider(Map<String, String> options) {
        this.options = Map.copyOf(options);
    }

    @Override
    public String name() {
        return "process";
    }

    @Override
    public void validate(MachineSpec spec) {
        LocalMachineFactory.check(spec.gpu(), spec.gpuCount(), config(spec));
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return ProcessStart.forClient(spec, config(spec)).lease(progress);
    }

    @Override
    public Uni<Lease> takeOver(String text, MachineSpec spec, Consumer<ProvisioningStep> progress) {
        Path folder = Path.of(text);
        if (folder.getParent() == null) {
            throw new IllegalArgumentException("process: expected the folder of a machine, got " + text);
        }
        return new ProcessMachines(this::config).takeOver(folder, spec, progress);
    }

    @Override
    public Optional<MachineKeeper> keeper() {
        return Optional.of(new ProcessMachines(this::config));
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> ofInstallation) {
        return new ProcessFleet(installation, above(options, ofInstallation));
    }

    private ProcessConfig config(MachineSpec spec) {
        return config(spec.options());
    }

    private ProcessConfig config(Map<String, String> ofMachine) {
        return ProcessSettings.read(above(options, ofMachine));
    }

    private static Map<String, String> above(Map<String, String> lower, Map<String, String> upper) {
        Map<String, String> all = new HashMap<>(lower);
        all.putAll(upper);
        return all;
    }
}
