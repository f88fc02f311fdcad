package dev.outpost.bench;

import dev.outpost.bench.backend.BackendBench;
import dev.outpost.bench.generate.GenerateBench;
import dev.outpost.bench.group.GroupBench;
import dev.outpost.bench.lan.LanBench;
import dev.outpost.bench.loading.DataLoaderBench;
import dev.outpost.bench.loading.LoadingBench;
import dev.outpost.bench.serving.ServingBench;
import dev.outpost.cli.support.CommandProgress;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./outpost bench}: each subcommand is one benchmark, printed as a table and written as JSON. */
@Command(
        name = "outpost bench",
        mixinStandardHelpOptions = true,
        description = "Measure Outpost on this machine.",
        subcommands = {
            BackendBench.class,
            DispatchBench.class,
            GenerateBench.class,
            GroupBench.class,
            LanBench.class,
            LimitsBench.class,
            DataLoaderBench.class,
            LoadingBench.class,
            NoiseBench.class,
            StartBench.class,
            PeersBench.class,
            ServingBench.class
        })
public final class Bench {
    /** A strong reference, because the logging system would forget the level of an unreferenced logger. */
    private static final Logger QUIET = Logger.getLogger("io.grpc");

    private Bench() {}

    public static void main(String... arguments) {
        QUIET.setLevel(Level.WARNING);
        CommandLine commandLine = new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
        CommandProgress.ofProcess().attachTo(commandLine);
        System.exit(commandLine.execute(arguments));
    }
}
