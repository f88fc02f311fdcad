package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.FuzzStatement.Layer;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.FuzzStatement.Training;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs compared statements again without reads between them: once as they are, so that they are planned and fused together, and once
 * traced as a program. The remaining values must have the same bits.
 */
final class WholeRun {
    private final RemoteMachine machine;
    private final OutpostSide side;

    WholeRun(RemoteMachine machine) {
        this.machine = machine;
        side = new OutpostSide(machine);
    }

    /** @param expected the results of a run with a read after each op */
    Optional<Difference> difference(List<FuzzStatement> program, Map<String, Seen> expected) {
        return plain(program, expected).or(() -> traced(program, expected));
    }

    private Optional<Difference> plain(List<FuzzStatement> program, Map<String, Seen> expected) {
        side.reset();
        try (Scope scope = machine.scope()) {
            StatementOutcome outcome = side.outcome(() -> {
                program.forEach(side.workspace()::execute);
                return expected.keySet();
            });
            return difference("as a whole", program, expected, outcome);
        }
    }

    /**
     * Runs the statements as a traced program: layers, optimizers and leaves are captured, other literals are inputs, and variables are
     * outputs.
     */
    private Optional<Difference> traced(List<FuzzStatement> program, Map<String, Seen> expected) {
        if (choosesByScalar(program)) {
            return Optional.empty();
        }
        side.reset();
        try (Scope scope = machine.scope()) {
            StatementOutcome outcome = side.outcome(() -> {
                call(program);
                return expected.keySet();
            });
            return isUntraceable(outcome) ? Optional.empty() : difference("as a program", program, expected, outcome);
        }
    }

    /**
     * Returns true if the statements choose one index by a tensor, which is a view, but a copy in a program: writes reveal the difference.
     */
    private static boolean choosesByScalar(List<FuzzStatement> program) {
        Set<String> scalars = program.stream()
                .filter(statement -> statement instanceof Literal literal
                        && literal.value().shape().rank() == 0)
                .map(FuzzStatement::name)
                .collect(Collectors.toSet());
        return program.stream()
                .filter(statement -> statement.op().equals("__getitem__"))
                .anyMatch(statement -> statement.uses().skip(1).anyMatch(scalars::contains));
    }

    /** Returns true if the outcome is the refusal of a function that depends on values, and so cannot be traced. */
    private static boolean isUntraceable(StatementOutcome outcome) {
        return outcome instanceof Refused refused && refused.reason().contains("while it is traced");
    }

    private void call(List<FuzzStatement> program) {
        List<FuzzStatement> inside = new ArrayList<>(program);
        inside.removeIf(WholeRun::isCaptured);
        program.stream().filter(WholeRun::isCaptured).forEach(side.workspace()::execute);
        call(inside, inputs(program));
    }

    private static boolean isCaptured(FuzzStatement statement) {
        return statement instanceof Literal || statement instanceof Layer || statement instanceof Training;
    }

    private static List<Literal> inputs(List<FuzzStatement> program) {
        return program.stream()
                .filter(Literal.class::isInstance)
                .map(Literal.class::cast)
                .filter(literal -> !literal.requiresGrad())
                .toList();
    }

    private void call(List<FuzzStatement> inside, List<Literal> inputs) {
        Map<String, Tensor> outside = new LinkedHashMap<>(side.workspace().variables());
        List<String> names = new ArrayList<>();
        try (Program traced = machine.program(arguments -> {
            for (int index = 0; index < inputs.size(); index++) {
                side.workspace().define(inputs.get(index), arguments.get(index));
            }
            inside.forEach(side.workspace()::execute);
            names.clear();
            names.addAll(side.workspace().variables().keySet());
            names.removeAll(outside.keySet());
            return names.stream().map(side.workspace()::tensor).toList();
        })) {
            List<Tensor> results = traced.call(
                    inputs.stream().map(input -> outside.get(input.name())).toArray(Tensor[]::new));
            side.workspace().variables().putAll(outside);
            for (int index = 0; index < names.size(); index++) {
                side.workspace().variables().put(names.get(index), results.get(index));
            }
        }
    }

    private static Optional<Difference> difference(
            String how, List<FuzzStatement> program, Map<String, Seen> expected, StatementOutcome outcome) {
        String text = switch (outcome) {
            case Refused refused -> "is refused " + how + ": " + refused.reason();
            case Broken broken -> "breaks " + how + ": " + broken.reason();
            case Computed computed -> firstOther(how, expected, computed);
        };
        return text == null
                ? Optional.empty()
                : Optional.of(
                        new Difference(program.getLast(), Kind.RUN_AS_A_WHOLE, "", text, outcome, outcome, Map.of()));
    }

    private static String firstOther(String how, Map<String, Seen> expected, Computed computed) {
        for (Map.Entry<String, Seen> entry : expected.entrySet()) {
            HostTensor wanted = entry.getValue().value();
            Optional<Seen> got = computed.seen().get(entry.getKey());
            if (got.isEmpty() || !hasSameBits(got.get().value(), wanted)) {
                return entry.getKey() + " " + how + ": got " + got.map(Seen::value) + ", but with looks " + wanted;
            }
        }
        return null;
    }

    /** The processor determines which of the many NaNs is the result. */
    private static boolean hasSameBits(HostTensor one, HostTensor other) {
        if (one.dtype() != other.dtype() || !one.shape().equals(other.shape())) {
            return false;
        }
        if (!one.dtype().isFloating()) {
            return Arrays.equals(one.bytes(), other.bytes());
        }
        for (long index = 0; index < one.shape().elements(); index++) {
            if (Double.compare(one.getDouble(index), other.getDouble(index)) != 0) {
                return false;
            }
        }
        return true;
    }
}
