package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.TensorScope;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Closes what this thread makes while it is open, except what is {@linkplain #keep kept} and what is written into
 * tensors from outside. Exact lifetimes let the machine reuse memory within a segment instead of storing every
 * intermediate.
 *
 * <pre>{@code
 * try (var step = machine.scope()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Scopes nest, and belong to the thread that opened them. The end of a machine's outermost one ends the thread's segment there.
 * Functions that make more than they answer are {@linkplain #tidy tidy}: that is no boundary.
 */
public final class Scope implements AutoCloseable {
    private final TensorScope scope;

    Scope(TensorScope scope) {
        this.scope = scope;
    }

    /**
     * Computes a tensor and closes what was made on the way, unless something else keeps it, as autograd does. The tensor
     * itself lives where it would have without: in the scope that is open, or until it is closed or collected. Ours do
     * this, so that a program holds what it was given and no more; layers and losses of a program's own should:
     *
     * <pre>{@code
     * static Tensor swish(Tensor x) {
     *     return Scope.tidy(() -> x.mul(x.sigmoid()));
     * }
     * }</pre>
     *
     * <p>Unlike the end of a scope, the end of this is no segment's.
     */
    public static Tensor tidy(Supplier<Tensor> body) {
        try (TensorScope scope = TensorScope.openTidy()) {
            return scope.keep(body.get());
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** As {@link #tidy(Supplier)}, for a result of several tensors. */
    public static <T> T tidy(Supplier<T> body, Function<T, List<Tensor>> tensors) {
        try (TensorScope scope = TensorScope.openTidy()) {
            T result = body.get();
            tensors.apply(result).forEach(scope::keep);
            return result;
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** Lets a tensor live as long as the next outer scope, or until it is closed or collected if there is none. */
    public Tensor keep(Tensor tensor) {
        return scope.keep(tensor);
    }

    /** Closes what was made inside. Closing again does nothing. */
    @Override
    public void close() {
        scope.close();
    }
}
