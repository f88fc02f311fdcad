package dev.outpost.gpucheck;

import dev.outpost.cli.BuildVersion;
import dev.outpost.cli.ErrorPrinter;
import dev.outpost.cli.doctor.CheckTable;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.machine.CheckLimits;
import dev.outpost.gpucheck.pack.GpuCheckPack;
import dev.outpost.gpucheck.part.PartRecord;
import dev.outpost.gpucheck.part.PartRecords;
import dev.outpost.gpucheck.part.PlannedPart;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.check.CudaChecks;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Fails without a working GPU. The pack runs it on machines that have a GPU and nothing else of Outpost. */
@Command(
        name = "gpu-check",
        description = "Compute on this machine's GPU, or pack what another machine needs to do so.",
        footer = {
            "",
            "It fails unless there is a GPU, NVRTC and cuBLASLt of CUDA 12 or 13, and all that they and the engine compute is"
                    + " right. It has parts of three minutes at the most; --list tells them. Speeds are told beside PyTorch's where"
                    + " python3 has it, and no speed makes it fail. A pack holds a runtime of Java and the start script gpu-check"
                    + " with the same options."
        })
final class GpuCheckCommand implements Callable<Integer> {
    private static final int SEEDS = 1_000_000;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Write all that was found and measured to gpu-check.json in this folder, and to gpu-check.results"
                            + " which parts have run.")
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
            description = "How many GPUs of this host the part gpus has compute as a group; all of them unless given.")
    private Integer gpus;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "Of the first random program, to repeat what went wrong; drawn unless given.")
    private Long seed;

    @Mixin
    private PartOptions choice;

    @Spec
    private CommandSpec spec;

    /** The entry point of a pack's start script. */
    public static void main(String[] arguments) {
        ErrorPrinter errors = new ErrorPrinter(() -> false);
        CommandLine command = new CommandLine(new GpuCheckCommand())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setCaseInsensitiveEnumValuesAllowed(true);
        CommandProgress.ofProcess().attachTo(command);
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
        if (choice.isList()) {
            PartList.lines().forEach(out::println);
            return 0;
        }
        List<PlannedPart> planned = choice.planned(Optional.ofNullable(output), spec.commandLine());
        if (planned.isEmpty()) {
            out.println("gpu-check: no open part is left, by the record in " + output);
            return 0;
        }
        return check(planned, out);
    }

    private int check(List<PlannedPart> planned, PrintWriter out) throws IOException {
        Optional<Path> folder = Optional.ofNullable(output).map(outer -> choice.isNext() ? ofPart(planned) : outer);
        PrintWriter err = spec.commandLine().getErr();
        planned.forEach(part -> err.println(part.describe()));
        GpuCheckProgress progress = new GpuCheckProgress(err, folder, System::nanoTime);
        List<PartRecord> found = Collections.synchronizedList(new ArrayList<>());
        PartChecks checks = new PartChecks(planned, limits(), System::nanoTime, record -> {
            found.add(record);
            write(record);
        });
        CudaChecks.Report cuda = CudaChecks.run(SearchPlaces.here(), progress::take);
        try (CommandProgress.Task task =
                CommandProgress.ofProcess().steps("checking", "parts", planned.size(), found::size)) {
            cuda.usable().map(GpuUnderCheck::of).ifPresent(gpu -> checks.run(gpu, progress::take));
        }
        List<CheckResult> results = progress.results();
        if (folder.isPresent()) {
            GpuCheckReport.write(results, cuda.searches(), folder.get());
        }
        CheckTable.printSearches(cuda.searches(), out);
        CheckTable.printRemedies(results, out);
        out.println();
        CheckTable.printResults(results, out);
        out.println();
        PartList.ends(planned, found, results).forEach(out::println);
        return results.stream().allMatch(PartList::isGood) ? 0 : 1;
    }

    /** Separates the output of consecutive parts. */
    private Path ofPart(List<PlannedPart> planned) {
        return output.resolve(planned.getFirst().part().toString());
    }

    private CheckLimits limits() {
        long firstSeed = seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed;
        OptionalInt count = gpus == null ? OptionalInt.empty() : OptionalInt.of(gpus);
        return CheckLimits.ofGpu(Optional.of(parity).filter(Files::isDirectory), firstSeed, count);
    }

    private void write(PartRecord found) {
        if (output == null) {
            return;
        }
        try {
            PartRecords.in(output).add(found);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String pack(Path file, Path parity) throws IOException {
        long bytes = GpuCheckPack.write(file, parity);
        return String.format(Locale.ROOT, "packed %s, %.1f MB", file, bytes / 1e6);
    }
}
