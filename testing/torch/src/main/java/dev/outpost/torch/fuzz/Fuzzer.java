package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Draws programs, compares them, and minimizes those that differ. */
final class Fuzzer implements AutoCloseable {
    /** An unexplained difference, and the smallest found program that shows it. */
    record Finding(long seed, Difference difference, List<FuzzStatement> program) {}

    private final Supplier<RemoteMachine> machines;
    private final Side theirs;
    private final ProgramSource source;
    private final KnownDifferences known;
    private final StatementCounts statementCounts = new StatementCounts();
    private RemoteMachine machine;
    private OutpostSide ours;
    private WholeRun wholes;

    Fuzzer(Supplier<RemoteMachine> machines, Side theirs, ProgramSource source, KnownDifferences known) {
        this.machines = machines;
        this.theirs = theirs;
        this.source = source;
        this.known = known;
        open();
    }

    private void open() {
        machine = machines.get();
        ours = new OutpostSide(machine);
        wholes = new WholeRun(machine);
    }

    /** Opens a new session for the next program if a defect has ended the present one. */
    private void renewIfLost() {
        ours.reset();
        if (!(ours.run(new Literal("v0", HostTensor.scalar(1), false)) instanceof Computed)) {
            close();
            open();
        }
    }

    /** Reads and drops the failures of statements, because they were compared already. */
    @Override
    public void close() {
        try {
            machine.close();
        } catch (OutpostException ignored) {
            // If it is a difference, it is reported as one.
        }
    }

    StatementCounts tally() {
        return statementCounts;
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
        renewIfLost();
        statementCounts.program();
        ComparedRun run = new ComparedRun(ours, theirs, known, statementCounts);
        Optional<Difference> difference = source.run(seed, run, ours).or(() -> difference(run));
        return difference.map(found -> minimized(seed, found, run.statements()));
    }

    /** Returns the difference of the statements that Outpost has computed when they run as a whole. */
    private Optional<Difference> difference(ComparedRun run) {
        return run.isOver() ? Optional.empty() : wholes.difference(run.computedHere(), run.seen());
    }

    private Finding minimized(long seed, Difference difference, List<FuzzStatement> program) {
        Minimizer minimizer = new Minimizer(
                candidate -> compared(candidate).filter(difference::isLike).isPresent());
        List<FuzzStatement> smallest = minimizer.minimize(List.copyOf(program));
        return new Finding(seed, compared(smallest).orElse(difference), smallest);
    }

    /** Returns the first unexplained difference of an existing program. */
    Optional<Difference> compared(List<FuzzStatement> program) {
        renewIfLost();
        ComparedRun run = new ComparedRun(ours, theirs, known, new StatementCounts());
        return run.run(program).or(() -> difference(run));
    }
}
