package dev.outpost.provider.process;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.launch.DeviceChoice;
import dev.outpost.provider.process.launch.DeviceChooser;
import dev.outpost.provider.process.launch.HostIsolation;
import dev.outpost.provider.process.launch.MachineCommand;
import dev.outpost.provider.process.launch.ProcessEnvironment;
import dev.outpost.provider.process.launch.ProcessLauncher;
import dev.outpost.provider.process.state.Isolation;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.StateFolder;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Makes machines on this host. */
final class LocalMachineFactory {
    private final ProcessConfig config;
    private final StateFolder state;

    LocalMachineFactory(ProcessConfig config) {
        this.config = config;
        this.state = new StateFolder(config.state());
    }

    StateFolder state() {
        return state;
    }

    /** Refuses an invalid machine before anything is made; the message names the setting. */
    static void check(GpuType gpu, int count, ProcessConfig config) {
        if (count != 1) {
            throw new IllegalArgumentException("process: only one GPU per machine is supported, got " + count);
        }
        DeviceChooser.ofThisHost().check(gpu, config);
        MachineCommand.check(config);
    }

    /**
     * Makes a machine and starts its process, unless one of that name exists.
     *
     * @param record makes the machine's record; receives the UUID of its GPU on this host, or empty if it has none
     * @param files the further files in its folder, by name
     * @param isolation the isolation of its processes; empty for none
     * @return empty if the machine already existed
     */
    Optional<MachineFolder> make(
            GpuType gpu,
            Function<Optional<String>, MachineRecord> record,
            MachineCommand command,
            Map<String, String> files,
            Optional<Isolation> isolation)
            throws IOException {
        DeviceChooser devices = DeviceChooser.ofThisHost();
        Optional<MachineFolder> made = devices.hasGpus()
                ? state.exclusively(() -> make(devices.place(gpu, config, taken()), record, command, files, isolation))
                : make(devices.place(gpu, config, Map.of()), record, command, files, isolation);
        if (made.isPresent()) {
            launch(made.get());
        }
        return made;
    }

    /** Starts the processes of a machine that has none. */
    void launch(MachineFolder machine) throws IOException {
        ProcessLauncher.launch(machine, ProcessEnvironment.ofThisProcess(config.environment()));
    }

    private Optional<MachineFolder> make(
            DeviceChoice choice,
            Function<Optional<String>, MachineRecord> record,
            MachineCommand command,
            Map<String, String> files,
            Optional<Isolation> isolation)
            throws IOException {
        ProcessConfig own = isolation.isPresent() ? HostIsolation.forUser(config, isolation.get()) : config;
        return state.make(record.apply(choice.device()), command.of(own, choice), files, isolation);
    }

    /** Returns the GPUs that machines use, with the machines' names. */
    private Map<String, String> taken() {
        Instant now = Instant.now();
        Map<String, String> taken = new LinkedHashMap<>();
        state.list().stream()
                .filter(machine -> !machine.status(now).hasEnded())
                .forEach(machine -> machine.record()
                        .device()
                        .ifPresent(uuid -> taken.put(uuid, machine.record().name())));
        return taken;
    }
}
