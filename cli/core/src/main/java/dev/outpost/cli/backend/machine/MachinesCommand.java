package dev.outpost.cli.backend.machine;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.Providers;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts, lists, watches and stops machines that live without a client, and removes the remains of others. */
@Command(
        name = "machines",
        description = "Start, list, watch and stop machines that live without a client.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            MachinesEvents.class,
            MachinesShare.class,
            MachinesStart.class,
            MachinesList.class,
            MachinesLogs.class,
            MachinesStop.class,
            MachinesSweep.class
        },
        footer = {
            "",
            "A program attaches to one by RemoteMachine.attach(\"k8s\", ID). What is set up by outpost.k8s.* (such as",
            "OUTPOST_K8S_NAMESPACE) says on which cluster, and in which namespace, machines are started and looked for."
        })
public final class MachinesCommand implements Runnable {
    public static final String DEFAULT_PROVIDER = "k8s";

    private final Supplier<Providers> providers;
    private final InstantSource clock;

    @Spec
    private CommandSpec spec;

    /** Uses the providers of the class path. */
    MachinesCommand() {
        this(Providers::discover, InstantSource.system());
    }

    MachinesCommand(Supplier<Providers> providers, InstantSource clock) {
        this.providers = providers;
        this.clock = clock;
    }

    /** Prints the help, if no subcommand is given. */
    @Override
    public void run() {
        spec.commandLine().usage(out());
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    InstantSource clock() {
        return clock;
    }

    GpuProvider provider(String name) {
        return providers.get().find(name);
    }

    MachineKeeper keeper(String name) {
        GpuProvider provider = provider(name);
        return provider.keeper()
                .orElseThrow(() -> new IllegalArgumentException("machines: provider " + provider.name()
                        + " has none that live without a client; " + DEFAULT_PROVIDER + " has"));
    }
}
