package dev.outpost.cli.parity.fuzz;

import dev.outpost.GradMode;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.cli.parity.fuzz.Outcome.Broken;
import dev.outpost.cli.parity.fuzz.Outcome.Computed;
import dev.outpost.cli.parity.fuzz.Outcome.Refused;
import dev.outpost.cli.parity.fuzz.Statement.Backward;
import dev.outpost.cli.parity.fuzz.Statement.Invocation;
import dev.outpost.cli.parity.fuzz.Statement.Literal;
import dev.outpost.cli.parity.ops.CallableOps;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Statements on a machine, one program after the other. The machine belongs to the caller. */
final class OutpostSide implements Side {
    private static final String GRADIENT = ".grad";

    private final RemoteMachine machine;
    private final CallableOps ops = new CallableOps();
    private final Map<String, Tensor> variables = new LinkedHashMap<>();
    private Scope scope;

    OutpostSide(RemoteMachine machine) {
        this.machine = machine;
        scope = machine.scope();
    }

    @Override
    public void reset() {
        close();
        scope = machine.scope();
    }

    /** Runs a statement and tells of all that it may have changed. */
    Outcome run(Statement statement) {
        return outcome(() -> {
            execute(statement);
            return changedBy(statement);
        });
    }

    @Override
    public Outcome run(Statement statement, Set<String> looks) {
        return outcome(() -> {
            execute(statement);
            return looks;
        });
    }

    private interface Attempt {
        Set<String> looks();
    }

    private Outcome outcome(Attempt attempt) {
        try {
            return new Computed(look(attempt.looks()));
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            // A defect in one op is a result of the comparison, not its end.
            return failure instanceof OutpostException refusal && refusal.kind() == FaultKind.USER
                    ? new Refused(refusal.getMessage())
                    : new Broken(failure.toString());
        }
    }

    void execute(Statement statement) {
        switch (statement) {
            case Literal literal ->
                variables.put(literal.name(), machine.tensor(literal.value()).requiresGrad(literal.requiresGrad()));
            case Invocation call -> define(call, call.withoutGrad() ? GradMode.noGrad(() -> call(call)) : call(call));
            case Backward backward ->
                tensor(backward.output())
                        .backward(backward.cotangent().map(this::tensor).orElse(null), backward.retainGraph());
        }
    }

    private List<Tensor> call(Invocation call) {
        return ops.call(machine, argument -> tensor(argument.name()), call.op(), call.arguments(), call.keywords());
    }

    private void define(Invocation call, List<Tensor> results) {
        if (call.isWrite()) {
            return;
        }
        if (!call.hasParts()) {
            variables.put(call.name(), results.getFirst());
            return;
        }
        for (int part = 0; part < results.size(); part++) {
            variables.put(call.name() + "[" + part + "]", results.get(part));
        }
    }

    Tensor tensor(String name) {
        Tensor tensor = variables.get(name);
        if (tensor == null) {
            throw new IllegalStateException("no variable is called " + name);
        }
        return tensor;
    }

    Set<String> changedBy(Statement statement) {
        return switch (statement) {
            case Literal literal -> Set.of(literal.name());
            case Invocation call -> call.isWrite() ? Set.copyOf(variables.keySet()) : results(call);
            case Backward backward -> gradients();
        };
    }

    private Set<String> results(Invocation call) {
        Set<String> results = new LinkedHashSet<>(variables.keySet());
        results.removeIf(name -> !Statement.variable(name).equals(call.name()));
        return results;
    }

    private Set<String> gradients() {
        Set<String> gradients = new LinkedHashSet<>();
        variables.forEach((name, tensor) -> {
            if (tensor.requiresGrad() && tensor.isLeaf()) {
                gradients.add(name + GRADIENT);
            }
        });
        return gradients;
    }

    /** All in one round trip. */
    Map<String, Optional<Seen>> look(Set<String> names) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        names.forEach(name -> tensors.put(name, seen(name)));
        Map<String, CompletableFuture<HostTensor>> coming = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> coming.put(name, tensor == null ? null : tensor.fetch()));
        Map<String, Optional<Seen>> seen = new LinkedHashMap<>();
        coming.forEach((name, value) -> seen.put(
                name,
                Optional.ofNullable(value)
                        .map(OutpostSide::join)
                        .map(host -> new Seen(host, tensors.get(name).requiresGrad()))));
        return seen;
    }

    private Tensor seen(String name) {
        return name.endsWith(GRADIENT)
                ? tensor(name.substring(0, name.length() - GRADIENT.length())).grad()
                : tensor(name);
    }

    private static HostTensor join(CompletableFuture<HostTensor> fetch) {
        try {
            return fetch.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof OutpostException fault ? fault : failure;
        }
    }

    /** What the next statement may use. */
    List<Known> known() {
        List<Known> known = new ArrayList<>();
        variables.forEach((name, tensor) ->
                known.add(new Known(name, tensor.dtype(), tensor.shape(), tensor.requiresGrad(), tensor.isLeaf())));
        return known;
    }

    /** Forgets the variable that a statement has defined. */
    void forget(Statement statement) {
        variables.keySet().removeIf(name -> Statement.variable(name).equals(statement.name()));
    }

    /** Forgets what cannot be looked at: what a refused write has left. */
    void forgetLost() {
        for (String name : List.copyOf(variables.keySet())) {
            if (!(outcome(() -> Set.of(name)) instanceof Computed)) {
                variables.remove(name);
            }
        }
    }

    @Override
    public void adopt(Map<String, HostTensor> values) {
        // Its roundings are those of the machine that it would adopt from.
    }

    @Override
    public void close() {
        variables.clear();
        scope.close();
    }
}
