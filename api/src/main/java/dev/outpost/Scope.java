package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.TensorScope;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Closes the tensors that this thread creates while the scope is open, except {@linkplain #keep kept} ones and values written into
 * outer tensors. Exact lifetimes let the machine reuse memory within a segment instead of storing every intermediate.
 *
 * <pre>{@code
 * try (var step = machine.scope()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Scopes nest, and belong to the thread that opened them. The end of a machine's outermost scope ends the thread's segment on that
 * machine. Functions that create intermediates use {@link #tidy}, which does not end a segment.
 */
public final class Scope implements AutoCloseable {
    private final TensorScope scope;

    Scope(TensorScope scope) {
        this.scope = scope;
    }

    /**
     * Computes a tensor and closes the intermediates, except those that something else keeps, such as autograd. The result lives as it
     * would without this method: in the open scope, or until it is closed or collected. All functions of Outpost use it, so that a
     * program holds only the tensors that it received. Layers and losses of a program should use it too:
     *
     * <pre>{@code
     * static Tensor swish(Tensor x) {
     *     return Scope.tidy(() -> x.mul(x.sigmoid()));
     * }
     * }</pre>
     *
     * <p>Unlike the end of a scope, the end of this method does not end a segment.
     *
     * {@snippet file="MachineExamplesTest.java" region="tidy"}
     */
    public static Tensor tidy(Supplier<Tensor> body) {
        try (TensorScope scope = TensorScope.openTidy()) {
            return scope.keep(body.get());
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** Like {@link #tidy(Supplier)}, but for a result of several tensors. */
    public static <T> T tidy(Supplier<T> body, Function<T, List<Tensor>> tensors) {
        try (TensorScope scope = TensorScope.openTidy()) {
            T result = body.get();
            tensors.apply(result).forEach(scope::keep);
            return result;
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /**
     * Moves a tensor to the next outer scope. Without an outer scope, it lives until it is closed or collected.
     *
     * {@snippet file="MachineExamplesTest.java" region="scope"}
     */
    public Tensor keep(Tensor tensor) {
        return scope.keep(tensor);
    }

    /** Closes the tensors created in the scope. Closing again does nothing. */
    @Override
    public void close() {
        scope.close();
    }
}
