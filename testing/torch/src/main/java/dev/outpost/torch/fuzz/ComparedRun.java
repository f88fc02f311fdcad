package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A run of a program on both sides, statement by statement. */
final class ComparedRun {
    private final OutpostSide ours;
    private final Side theirs;
    private final KnownDifferences known;
    private final StatementCounts statementCounts;
    private final List<FuzzStatement> statements = new ArrayList<>();
    private final List<FuzzStatement> computed = new ArrayList<>();
    private final List<FuzzStatement> computedHere = new ArrayList<>();
    private final Map<String, Seen> seen = new LinkedHashMap<>();
    private boolean isOver;

    ComparedRun(OutpostSide ours, Side theirs, KnownDifferences known, StatementCounts statementCounts) {
        this.ours = ours;
        this.theirs = theirs;
        this.known = known;
        this.statementCounts = statementCounts;
        ours.reset();
        theirs.reset();
    }

    /** Runs a whole program up to its first difference. */
    Optional<Difference> run(List<FuzzStatement> program) {
        for (FuzzStatement statement : program) {
            Optional<Difference> difference = isOver ? Optional.empty() : step(statement);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    /** Runs one statement; an unexplained difference ends the program. */
    Optional<Difference> step(FuzzStatement statement) {
        statements.add(statement);
        StatementOutcome mine = ours.run(statement);
        StatementOutcome other =
                theirs.run(statement, mine instanceof Computed all ? all.seen().keySet() : Set.of());
        statementCounts.count(statement, mine, other);
        List<Difference> differences = SeenComparison.differences(mine, other).stream()
                .map(found -> new Difference(
                        statement, found.kind(), found.where(), found.text(), mine, other, operands(statement)))
                .toList();
        for (Difference difference : differences) {
            Optional<String> reason = known.reason(difference).or(() -> recomputed(difference));
            if (reason.isEmpty()) {
                isOver = true;
                return Optional.of(difference);
            }
            statementCounts.explained(reason.get(), difference);
        }
        settle(statement, mine, other);
        if (differences.stream().anyMatch(difference -> difference.kind() != Kind.VALUE)) {
            leave(statement);
        }
        return Optional.empty();
    }

    private Map<String, HostTensor> operands(FuzzStatement statement) {
        Map<String, HostTensor> operands = new HashMap<>();
        statement
                .uses()
                .filter(seen::containsKey)
                .forEach(name -> operands.put(name, seen.get(name).value()));
        return operands;
    }

    /** Returns the explanation of a difference by another computation of PyTorch that gives Outpost's value; empty if there is none. */
    private Optional<String> recomputed(Difference difference) {
        if (difference.kind() != Kind.VALUE) {
            return Optional.empty();
        }
        HostTensor mine = value(difference.ours(), difference.where());
        HostTensor other = value(difference.theirs(), difference.where());
        return rounding(mine, other, difference)
                .or(() -> definition(mine, other, difference))
                .or(() -> preparation(mine, difference))
                .or(() -> roundingOfOperands(mine, difference));
    }

    /**
     * Explains a difference by roundings of the operands, only for calls: writes and backward passes depend on more than their operands'
     * elements.
     */
    private Optional<String> roundingOfOperands(HostTensor mine, Difference difference) {
        boolean isPlainCall = difference.statement() instanceof Invocation call
                && !call.isWrite()
                && !call.hasParts()
                && call.uses().allMatch(name -> seen.containsKey(name) && !name.contains("["));
        if (!isPlainCall) {
            return Optional.empty();
        }
        List<FuzzStatement> alone = new ArrayList<>();
        difference.operands().forEach((name, value) -> alone.add(new Literal(name, value, false)));
        alone.add(difference.statement());
        return theirs.recomputed(Recomputation.EXACTLY, alone, Set.of(difference.where()))
                .flatMap(values -> values.get(difference.where()))
                .filter(exact -> Rounding.isRounded(mine, exact.value()))
                .map(exact -> Rounding.OF_OPERANDS);
    }

    private Optional<String> rounding(HostTensor mine, HostTensor other, Difference difference) {
        Optional<HostTensor> exact = recomputed(Recomputation.EXACTLY, difference);
        return exact.filter(value -> Rounding.isAsExact(mine, other, value))
                .map(value -> Rounding.AS_EXACT)
                .or(() -> recomputed(Recomputation.SHAKEN, difference)
                        .flatMap(spread -> unsteadiness(mine, other, exact, spread)));
    }

    private static Optional<String> unsteadiness(
            HostTensor mine, HostTensor other, Optional<HostTensor> exact, HostTensor spread) {
        return Rounding.isWithinSpread(mine, other, spread)
                ? Optional.of(Rounding.WITHIN_SPREAD)
                : exact.filter(value -> Rounding.isUnsteady(mine, value, spread))
                        .map(value -> Rounding.UNSTEADY);
    }

    private Optional<String> definition(HostTensor mine, HostTensor other, Difference difference) {
        return Definition.mayDiffer(Stream.concat(values(), Stream.of(mine, other)))
                ? recomputed(Recomputation.DEFINED, difference)
                        .filter(defined -> isAsDefined(mine, defined, difference))
                        .map(defined -> Definition.REASON)
                : Optional.empty();
    }

    private Optional<String> preparation(HostTensor mine, Difference difference) {
        return recomputed(Recomputation.PREPARED, difference)
                .filter(prepared -> Definition.isMet(mine, prepared))
                .map(prepared -> Definition.PREPARATION);
    }

    private boolean isAsDefined(HostTensor mine, HostTensor defined, Difference difference) {
        return Definition.isMet(mine, defined)
                || recomputed(Recomputation.EXACTLY_DEFINED, difference)
                        .filter(exact -> Rounding.isAsExact(mine, defined, exact))
                        .isPresent();
    }

    private Optional<HostTensor> recomputed(Recomputation way, Difference difference) {
        List<FuzzStatement> program = new ArrayList<>(computed);
        program.add(difference.statement());
        return theirs.recomputed(way, program, Set.of(difference.where()))
                .flatMap(seen -> seen.get(difference.where()))
                .map(Seen::value);
    }

    private Stream<HostTensor> values() {
        return seen.values().stream().map(Seen::value);
    }

    private static HostTensor value(StatementOutcome outcome, String name) {
        return ((Computed) outcome).seen().get(name).orElseThrow().value();
    }

    /** Brings both sides to the same state after a statement. */
    private void settle(FuzzStatement statement, StatementOutcome mine, StatementOutcome other) {
        if (mine instanceof Computed) {
            computedHere.add(statement);
        }
        if (mine instanceof Computed ourValues && other instanceof Computed theirValues) {
            computed.add(statement);
            ourValues.seen().forEach((name, value) -> value.ifPresent(present -> seen.put(name, present)));
            theirs.adopt(unequal(ourValues, theirValues));
            return;
        }
        ours.forget(statement);
        if (mine instanceof Refused && other instanceof Refused) {
            ours.forgetLost();
        }
    }

    /**
     * Forgets a variable with different answers; ends the program if the statement may have changed other variables.
     */
    private void leave(FuzzStatement statement) {
        ours.forget(statement);
        isOver |= !(statement instanceof Invocation call) || call.isWrite();
    }

    private static Map<String, HostTensor> unequal(Computed ours, Computed theirs) {
        Map<String, HostTensor> unequal = new LinkedHashMap<>();
        ours.seen()
                .forEach((name, value) -> value.map(Seen::value)
                        .filter(mine -> isAlike(
                                mine, theirs.seen().get(name).orElseThrow().value()))
                        .filter(mine -> mine.shape().elements() > 0)
                        .filter(mine -> !mine.equals(
                                theirs.seen().get(name).orElseThrow().value()))
                        .ifPresent(mine -> unequal.put(name, mine)));
        return unequal;
    }

    private static boolean isAlike(HostTensor mine, HostTensor other) {
        return mine.dtype() == other.dtype() && mine.shape().equals(other.shape());
    }

    /** Returns true if the two sides may be in different states by now, so that nothing more can be compared. */
    boolean isOver() {
        return isOver;
    }

    /** Returns all statements so far. */
    List<FuzzStatement> statements() {
        return statements;
    }

    /** Returns the statements that Outpost has computed, regardless of PyTorch's answers. */
    List<FuzzStatement> computedHere() {
        return computedHere;
    }

    /** Returns the present state of the variables. */
    Map<String, Seen> seen() {
        return seen;
    }
}
