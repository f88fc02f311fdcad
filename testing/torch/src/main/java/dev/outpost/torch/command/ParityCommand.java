package dev.outpost.torch.command;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.MachineChoice;
import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.TextTable;
import dev.outpost.torch.OpScore;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParityReport;
import dev.outpost.torch.ParitySubject;
import dev.outpost.torch.fuzz.SingularPack;
import dev.outpost.torch.fuzz.TorchParity;
import dev.outpost.torch.ops.MachineSubject;
import dev.outpost.torch.ops.OpsPage;
import dev.outpost.torch.ops.PlacedSubject;
import dev.outpost.torch.ops.ProgramSubject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Compares the ops with PyTorch's answers, and prints the result. In the pack a difference is a result, not an error; a random program
 * that differs without an explanation ends the command with 1.
 */
@Command(name = "parity", description = "Compare the ops with what PyTorch computes.")
final class ParityCommand implements Callable<Integer> {
    private final Function<MachineChoice, ParitySubject> subjects;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = "src/test/resources/parity",
            description = "Where cases.jsonl and tensors.safetensors are; ${DEFAULT-VALUE} unless given.")
    private Path folder;

    @Mixin
    private MachineChoice choice;

    @Option(names = "--ops", paramLabel = "NAME", split = ",", description = "Only these ops, by PyTorch's names.")
    private Set<String> ops = Set.of();

    @Option(names = "--program", description = "Each case as a program, traced and called.")
    private boolean asPrograms;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the report to this file too.")
    private Path json;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "Instead of comparing: write the page of all ops, as docs/ops.md is, to this file.")
    private Path page;

    @Option(
            names = "--torch",
            description = "Instead of the pack: random programs, compared with a PyTorch that Python has here.")
    private boolean withTorch;

    @Option(
            names = "--programs",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many random programs; ${DEFAULT-VALUE} unless given.")
    private int programs;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Instead of programs: so many single calls from the samples of PyTorch's operator tests.")
    private Integer samples;

    @Option(
            names = "--singular",
            paramLabel = "FOLDER",
            description =
                    "With --torch, instead of comparing: write a pack of what PyTorch answers at zeros, infinities, NaN,"
                            + " ties and bounds to this folder.")
    private Path singular;

    @Option(
            names = "--placements",
            paramLabel = "HOW",
            description = "For a group of machines, such as mock:A100x2: random places each operand at random.")
    private Placements placements;

    /** The placement of operands on a group. */
    enum Placements {
        random
    }

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "The seed of the first program, or of the placements; drawn unless given.")
    private Long seed;

    @Option(
            names = "--python",
            paramLabel = "PATH",
            defaultValue = "${env:OUTPOST_PYTHON:-python3}",
            description = "The Python that has PyTorch; OUTPOST_PYTHON or python3 unless given.")
    private String python;

    @Spec
    private CommandSpec spec;

    ParityCommand() {
        subjects = this::onMachine;
    }

    private ParitySubject onMachine(MachineChoice machine) {
        if (placements != null && !machine.isGroup()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--placements: expected a group of machines, such as --machine mock:A100x2, got one machine");
        }
        RemoteMachine opened = machine.open(new MachineOptions());
        ParitySubject subject = asPrograms ? new ProgramSubject(opened) : new MachineSubject(opened);
        if (placements == null) {
            return subject;
        }
        long drawn = firstSeed();
        spec.commandLine().getOut().println("placements by seed " + drawn);
        return new PlacedSubject(subject, opened, drawn);
    }

    /** Makes a command that compares the function's subject, and closes the subject at the end. */
    ParityCommand(Function<MachineChoice, ParitySubject> subjects) {
        this.subjects = subjects;
    }

    @Override
    public Integer call() throws IOException {
        if (singular != null && !withTorch) {
            throw new ParameterException(spec.commandLine(), "--singular: PyTorch writes it, so add --torch");
        }
        if (withTorch) {
            return singular == null
                    ? compareWithTorch()
                    : SingularPack.write(python, singular, spec.commandLine().getOut());
        }
        if (page != null) {
            return writePage();
        }
        ParityReport report = ParityReport.of(judgeAll());
        print(report, spec.commandLine().getOut());
        if (json != null) {
            report.writeJson(json);
        }
        return 0;
    }

    private int writePage() throws IOException {
        try (ParityPack pack = ParityPack.open(folder);
                RemoteMachine machine = choice.open(new MachineOptions())) {
            Files.writeString(page, OpsPage.text(OpsPage.facts(machine, pack)));
        }
        return 0;
    }

    private int compareWithTorch() {
        long first = firstSeed();
        TorchParity parity = new TorchParity(spec.commandLine().getOut());
        Supplier<RemoteMachine> machines = () -> choice.open(new MachineOptions());
        int unexplained = samples == null
                ? parity.run(machines, python, ops, first, programs)
                : parity.runSamples(machines, python, ops, first, samples);
        return unexplained == 0 ? 0 : 1;
    }

    private long firstSeed() {
        return seed == null ? ThreadLocalRandom.current().nextInt(1_000_000_000) : seed;
    }

    private List<ParityOutcome> judgeAll() throws IOException {
        try (ParityPack pack = ParityPack.open(folder);
                ParitySubject subject = subjects.apply(choice)) {
            ParityJudge judge = new ParityJudge(subject, pack);
            List<ParityCase> cases =
                    pack.cases().stream().filter(this::isAskedFor).toList();
            List<ParityOutcome> outcomes = new ArrayList<>();
            AtomicLong done = new AtomicLong();
            try (CommandProgress.Task task =
                    CommandProgress.ofProcess().steps("comparing", "cases", cases.size(), done::get)) {
                for (ParityCase parityCase : cases) {
                    outcomes.add(judge.judge(parityCase));
                    done.incrementAndGet();
                }
            }
            return outcomes;
        }
    }

    private boolean isAskedFor(ParityCase parityCase) {
        return ops.isEmpty() || ops.contains(parityCase.op());
    }

    private static void print(ParityReport report, PrintWriter out) {
        TextTable table = new TextTable("OP", "PASSED", "FAILED", "FIRST DIFFERENCE");
        report.perOp().forEach(score -> table.row(score.op(), score.passed(), score.failed(), difference(score)));
        table.lines().forEach(out::println);
        out.println(report.summary());
    }

    private static String difference(OpScore score) {
        return score.allPassed() ? "" : score.firstDifference().replaceAll("\\s+", " ");
    }
}
