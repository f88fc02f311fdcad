package dev.outpost.torch.fuzz;

import dev.outpost.RemoteMachine;
import dev.outpost.torch.fuzz.Fuzzer.Finding;
import dev.outpost.torch.ops.CallableOps;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code ./outpost parity --torch}: compares random programs with PyTorch, and reports the results. */
public final class TorchParity {
    private final PrintWriter out;

    public TorchParity(PrintWriter out) {
        this.out = out;
    }

    /**
     * Runs the programs if there is a Python with PyTorch; otherwise reports that there is none.
     *
     * @param ops the only ops to draw; all if empty
     * @return the number of programs that differ without an explanation
     */
    public int run(Supplier<RemoteMachine> machines, String python, Set<String> ops, long seed, int programs) {
        DrawTable all = DrawTable.ofAllFamilies();
        DrawTable table = ops.isEmpty() ? all : all.only(ops);
        try (TorchSide torch = TorchSide.open(python)) {
            Fuzzer fuzzer = new Fuzzer(machines, torch, ProgramSource.ofPrograms(table), new KnownDifferences(false));
            return run(fuzzer, torch, "programs", seed, programs);
        } catch (NoTorchException failure) {
            return skipped(failure);
        }
    }

    /**
     * Does the same as {@link #run} with single calls from the samples of PyTorch's operator tests, with some arguments changed. Python
     * needs the packages that these tests import: numpy, expecttest and packaging.
     */
    public int runSamples(Supplier<RemoteMachine> machines, String python, Set<String> ops, long seed, int samples) {
        try (TorchSide torch = TorchSide.open(python)) {
            torch.drawFrom(ops.isEmpty() ? new CallableOps().names() : ops);
            Fuzzer fuzzer = new Fuzzer(machines, torch, ProgramSource.ofSamples(torch), new KnownDifferences(true));
            return run(fuzzer, torch, "samples", seed, samples);
        } catch (NoTorchException failure) {
            return skipped(failure);
        }
    }

    private int run(Fuzzer fuzzer, TorchSide torch, String what, long seed, int count) {
        try (fuzzer) {
            List<Finding> findings = fuzzer.run(seed, count, this::print);
            print(fuzzer.tally(), torch.version(), what, seed, findings.size());
            return findings.size();
        }
    }

    private int skipped(NoTorchException missing) {
        out.println("skipped: no Python with PyTorch was found, " + missing.getMessage());
        return 0;
    }

    private void print(Finding finding) {
        out.println("seed " + finding.seed() + ": " + finding.difference());
        finding.program().forEach(statement -> out.println("    " + PythonText.of(statement)));
        out.println("  in Java:");
        finding.program().forEach(statement -> out.println("    " + JavaText.of(statement)));
        out.println();
        out.flush();
    }

    private void print(StatementCounts statementCounts, String version, String what, long seed, int findings) {
        out.printf(
                "parity with PyTorch %s: %d %s from seed %d on, %d statements, %d of them refused by both%n",
                version,
                statementCounts.programs(),
                what,
                seed,
                statementCounts.statements(),
                statementCounts.refused());
        out.println(statementCounts.computedByOp().size() + " ops: " + counts(statementCounts.computedByOp()));
        statementCounts.explained().forEach((reason, count) -> out.println("explained " + count + " times: " + reason));
        out.println(findings + " " + what + " differ without an explanation");
        out.flush();
    }

    private static String counts(Map<String, Integer> byOp) {
        return byOp.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
