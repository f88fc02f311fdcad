package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Runs statements on a machine, one program after the other. The machine belongs to the caller. */
final class OutpostSide implements Side {
    private final RemoteMachine machine;
    private Workspace workspace;

    OutpostSide(RemoteMachine machine) {
        this.machine = machine;
        workspace = new Workspace(machine);
    }

    @Override
    public void reset() {
        workspace = new Workspace(machine);
    }

    Workspace workspace() {
        return workspace;
    }

    /** Runs a statement, and returns the state of everything that it may have changed. */
    StatementOutcome run(FuzzStatement statement) {
        return outcome(() -> {
            workspace.execute(statement);
            return workspace.changedBy(statement);
        });
    }

    @Override
    public StatementOutcome run(FuzzStatement statement, Set<String> looks) {
        return outcome(() -> {
            workspace.execute(statement);
            return looks;
        });
    }

    /** An action that returns the names of the variables to read. */
    interface Attempt {
        Set<String> looks();
    }

    StatementOutcome outcome(Attempt attempt) {
        try {
            return new Computed(read(attempt.looks()));
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            // A defect in one op is a result of the comparison, not its end.
            return failure instanceof OutpostException refusal && refusal.kind() == FaultKind.USER
                    ? new Refused(refusal.getMessage())
                    : new Broken(failure.toString());
        }
    }

    /** Reads all variables in one round trip. */
    private Map<String, Optional<Seen>> read(Set<String> names) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        names.forEach(name -> tensors.put(name, workspace.tensor(name)));
        Map<String, CompletableFuture<HostTensor>> coming = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> coming.put(name, tensor == null ? null : tensor.fetch()));
        // All of them, including failures: failures that were never read would be reported at the end of the machine.
        CompletableFuture.allOf(
                        coming.values().stream().filter(Objects::nonNull).toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
        Map<String, Optional<Seen>> seen = new LinkedHashMap<>();
        coming.forEach((name, value) -> seen.put(
                name,
                Optional.ofNullable(value)
                        .map(OutpostSide::join)
                        .map(host -> new Seen(host, tensors.get(name).requiresGrad()))));
        return seen;
    }

    private static HostTensor join(CompletableFuture<HostTensor> fetch) {
        try {
            return fetch.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof OutpostException fault ? fault : failure;
        }
    }

    /** Returns the variables that the next statement may use. */
    List<Known> known() {
        return workspace.known();
    }

    void forget(FuzzStatement statement) {
        workspace.forget(statement);
    }

    /** Forgets variables that cannot be read after a refused write. */
    void forgetLost() {
        workspace.variables().keySet().removeIf(name -> !(outcome(() -> Set.of(name)) instanceof Computed));
    }

    @Override
    public void adopt(Map<String, HostTensor> values) {
        // It already has the roundings of the machine from which it would take the values.
    }

    @Override
    public void close() {
        workspace = null;
    }
}
