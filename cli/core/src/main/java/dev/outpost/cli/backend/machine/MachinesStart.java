package dev.outpost.cli.backend.machine;

import dev.outpost.client.start.ProgressMode;
import dev.outpost.client.start.StartView;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Starts a machine that lives for a stated time. */
@Command(name = "start", description = "Start a machine that lives for a stated time, with or without a client.")
public final class MachinesStart implements Runnable {
    @ParentCommand
    private MachinesCommand machines;

    @Parameters(index = "0", paramLabel = "PROVIDER", description = "Who supplies it, such as k8s.")
    private String providerName;

    @Parameters(index = "1", paramLabel = "GPU", description = "A name of the catalogue (./outpost gpus), or any.")
    private String gpu;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            required = true,
            description = "How long it lives, such as 90m or 2h; it ends by itself then.")
    private Duration life;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "A setting of the provider's for this machine, such as image=...; may be given again.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Override
    public void run() {
        GpuProvider provider = machines.provider(providerName);
        MachineKeeper keeper = machines.keeper(providerName);
        MachineSpec spec =
                new MachineSpec(GpuCatalogue.configured().find(gpu), 1, options, provider.name() + "-" + gpu);
        provider.validate(spec);
        printStarted(provider.name(), start(keeper, spec));
    }

    private String start(MachineKeeper keeper, MachineSpec spec) {
        StartView view = ProgressMode.configured().view(spec.name());
        try {
            return keeper.start(spec, life, view::step).await().indefinitely();
        } finally {
            view.end();
        }
    }

    private void printStarted(String provider, String id) {
        PrintWriter out = machines.out();
        out.println(id + " is ready, and ends by itself in " + Ages.text(life));
        out.println("attach  RemoteMachine.attach(\"" + provider + "\", \"" + id + "\")");
        out.println("log     ./outpost machines logs " + id + option(provider));
        out.println("stop    ./outpost machines stop " + id + option(provider));
        out.flush();
    }

    private static String option(String provider) {
        return provider.equals(MachinesCommand.DEFAULT_PROVIDER) ? "" : " --provider " + provider;
    }
}
