package dev.outpost.cli.parity.fuzz;

import dev.outpost.RemoteMachine;
import dev.outpost.cli.parity.fuzz.Fuzzer.Finding;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code ./outpost parity --torch}: random programs, compared with PyTorch, and what is told of them. */
public final class TorchParity {
    private final PrintWriter out;

    public TorchParity(PrintWriter out) {
        this.out = out;
    }

    /**
     * Runs the programs where there is a Python with PyTorch, and says so where there is none.
     *
     * @param ops the only ops to draw; all if empty
     * @return how many programs differ without an explanation
     */
    public int run(Supplier<RemoteMachine> machines, String python, Set<String> ops, long seed, int programs) {
        DrawTable all = DrawTable.ofAllFamilies();
        DrawTable table = ops.isEmpty() ? all : all.only(ops);
        try (TorchSide torch = TorchSide.open(python);
                Fuzzer fuzzer = new Fuzzer(machines, torch, table)) {
            List<Finding> findings = fuzzer.run(seed, programs, this::print);
            print(fuzzer.tally(), torch.version(), seed, findings.size());
            return findings.size();
        } catch (NoTorchException missing) {
            out.println("skipped: no Python with PyTorch was found, " + missing.getMessage());
            return 0;
        }
    }

    private void print(Finding finding) {
        out.println("seed " + finding.seed() + ": " + finding.difference());
        finding.program().forEach(statement -> out.println("    " + PythonText.of(statement)));
        out.println("  in Java:");
        finding.program().forEach(statement -> out.println("    " + JavaText.of(statement)));
        out.println();
        out.flush();
    }

    private void print(Tally tally, String version, long seed, int findings) {
        out.printf(
                "parity with PyTorch %s: %d programs from seed %d on, %d statements, %d of them refused by both%n",
                version, tally.programs(), seed, tally.statements(), tally.refused());
        out.println(tally.computedByOp().size() + " ops: " + counts(tally.computedByOp()));
        tally.explained().forEach((reason, count) -> out.println("explained " + count + " times: " + reason));
        out.println(findings + " programs differ without an explanation");
        out.flush();
    }

    private static String counts(Map<String, Integer> byOp) {
        return byOp.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
