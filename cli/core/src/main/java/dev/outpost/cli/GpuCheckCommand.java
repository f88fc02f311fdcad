package dev.outpost.cli;

import dev.outpost.MachineOptions;
import dev.outpost.cli.gpu.CheckLimits;
import dev.outpost.cli.gpu.GroupOnGpus;
import dev.outpost.cli.gpu.MachineChecks;
import dev.outpost.cli.pack.GpuCheckPack;
import dev.outpost.provider.Providers;
import dev.outpost.runtime.cuda.check.CheckPart;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.check.CudaChecks;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Demands a GPU that works. Packed, it is what runs on a machine that has one and nothing else. */
@Command(
        name = "gpu-check",
        description = "Compute on this machine's GPU, or pack what another machine needs to do so.",
        footer = {
            "",
            "It fails unless there is a GPU, NVRTC and cuBLASLt of CUDA 12 or 13, and all that they and the engine compute is"
                    + " right, which takes ten minutes at the most. Speeds are told beside PyTorch's where python3 has it, and no speed"
                    + " makes it fail. A pack holds a runtime of Java and the start script gpu-check with the same options."
        })
final class GpuCheckCommand implements Callable<Integer> {
    private static final int SEEDS = 1_000_000;
    private static final int MINUTES = 10;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Write all that was found and measured to gpu-check.json in this folder.")
    private Path output;

    @Option(
            names = "--pack",
            paramLabel = "FILE.tar.gz",
            description = "Check nothing here; write an archive that checks Linux machines of this processor's kind.")
    private Path pack;

    @Option(
            names = "--parity",
            paramLabel = "DIR",
            defaultValue = "src/test/resources/parity",
            description = "Where the parity pack is; ${DEFAULT-VALUE} unless given. Without one its cases are skipped.")
    private Path parity;

    @Option(
            names = "--gpus",
            paramLabel = "COUNT",
            description = "Also have so many GPUs of this host compute as a group, a runtime each; not from a pack.")
    private Integer gpus;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "Of the first random program, to repeat what went wrong; drawn unless given.")
    private Long seed;

    @Option(
            names = "--minutes",
            paramLabel = "NUMBER",
            defaultValue = "" + MINUTES,
            description = "About how long all may take; ${DEFAULT-VALUE} unless given. In less fewer cases are tried.")
    private double minutes;

    @Option(
            names = "--part",
            paramLabel = "PART",
            split = ",",
            description = "Check no more than this behind the self test, one or several of: ${COMPLETION-CANDIDATES}.")
    private Set<CheckPart> parts;

    @Spec
    private CommandSpec spec;

    /** The entry point of a pack's start script. */
    public static void main(String[] arguments) {
        ErrorPrinter errors = new ErrorPrinter(() -> false);
        CommandLine command = new CommandLine(new GpuCheckCommand())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setCaseInsensitiveEnumValuesAllowed(true);
        command.getCommandSpec().versionProvider(new BuildVersion()).mixinStandardHelpOptions(true);
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (pack != null) {
            out.println(pack(pack, parity));
            return 0;
        }
        long firstSeed = seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed;
        if (!(minutes > 0)) {
            throw new ParameterException(spec.commandLine(), "--minutes: needs to be more than 0, got " + minutes);
        }
        Set<CheckPart> chosen = parts == null ? EnumSet.allOf(CheckPart.class) : parts;
        double share = minutes / MINUTES;
        CheckLimits limits = CheckLimits.ofGpu(Optional.of(parity).filter(Files::isDirectory), firstSeed, share);
        GpuCheckProgress progress =
                new GpuCheckProgress(spec.commandLine().getErr(), Optional.ofNullable(output), System::nanoTime);
        CudaChecks.Thorough extent = new CudaChecks.Thorough(chosen, share, new MachineChecks(limits, chosen));
        CudaChecks.Report report = withGroup(CudaChecks.runThoroughly(SearchPlaces.here(), extent, progress::take));
        if (output != null) {
            GpuCheckReport.write(report, output);
        }
        CheckTable.printSearches(report.searches(), out);
        CheckTable.printRemedies(report.results(), out);
        out.println();
        CheckTable.printResults(report.results(), out);
        return report.results().stream().allMatch(GpuCheckCommand::isGood) ? 0 : 1;
    }

    /** The group's machines are processes with a GPU each. */
    private CudaChecks.Report withGroup(CudaChecks.Report report) {
        if (gpus == null) {
            return report;
        }
        MachineOptions options = new MachineOptions().option("engine", "cuda");
        List<CheckResult> results = new ArrayList<>(report.results());
        results.addAll(new GroupOnGpus(Providers.discover().find("process"), gpus, options).run(report.gpus()));
        return new CudaChecks.Report(List.copyOf(results), report.searches(), report.gpus());
    }

    /** A skipped check needs something absent, which fails the check already, or has no meaning on the GPU. */
    private static boolean isGood(CheckResult result) {
        return switch (result.outcome()) {
            case OK, SKIPPED -> true;
            case ABSENT, FAILED -> false;
        };
    }

    private static String pack(Path file, Path parity) throws IOException {
        long bytes = GpuCheckPack.write(file, parity);
        return String.format(Locale.ROOT, "packed %s, %.1f MB", file, bytes / 1e6);
    }
}
