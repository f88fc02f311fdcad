package dev.outpost.cli.parity.fuzz;

import dev.outpost.RemoteMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Draws programs, compares them, and makes those that differ small. */
final class Fuzzer {
    /** An unexplained difference, and the smallest program that was found to show it. */
    record Finding(long seed, Difference difference, List<Statement> program) {}

    private final OutpostSide ours;
    private final Side theirs;
    private final DrawTable table;
    private final KnownDifferences known = new KnownDifferences();
    private final Tally tally = new Tally();

    Fuzzer(RemoteMachine machine, Side theirs, DrawTable table) {
        this.ours = new OutpostSide(machine);
        this.theirs = theirs;
        this.table = table;
    }

    Tally tally() {
        return tally;
    }

    /** Runs programs with consecutive seeds. */
    List<Finding> run(long firstSeed, int programs, Consumer<Finding> onFinding) {
        List<Finding> findings = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + programs; seed++) {
            Optional<Finding> finding = run(seed);
            finding.ifPresent(found -> {
                findings.add(found);
                onFinding.accept(found);
            });
        }
        return findings;
    }

    private Optional<Finding> run(long seed) {
        tally.program();
        ProgramDrawer drawer = new ProgramDrawer(table, seed);
        ProgramRun run = new ProgramRun(ours, theirs, known, tally);
        Optional<Difference> difference = Optional.empty();
        for (int call = 0; call < drawer.length() && difference.isEmpty() && !run.isOver(); call++) {
            difference = run.run(drawer.next(ours.known()));
        }
        if (difference.isEmpty() && !run.isOver()) {
            difference = run.run(drawer.backward(ours.known()));
        }
        return difference.map(found -> minimized(seed, found, run.statements()));
    }

    private Finding minimized(long seed, Difference difference, List<Statement> program) {
        Minimizer minimizer = new Minimizer(
                candidate -> compared(candidate).filter(difference::isLike).isPresent());
        List<Statement> smallest = minimizer.minimize(List.copyOf(program));
        return new Finding(seed, compared(smallest).orElse(difference), smallest);
    }

    /** The first unexplained difference of a program that is there already. */
    Optional<Difference> compared(List<Statement> program) {
        return new ProgramRun(ours, theirs, known, new Tally()).run(program);
    }
}
