package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    /** A box for each thread's: opening and closing happens within every function of more than one op. */
    private static final ThreadLocal<Scope[]> CURRENT = ThreadLocal.withInitial(() -> new Scope[1]);

    private static final int CLOSED_AT_ONCE = 64;

    /** Null for one that is tidy, and ends no segment. */
    private final RemoteMachine machine;

    private final Scope outer;
    private final Thread owner = Thread.currentThread();
    private ScopeMembers tensors = new ScopeMembers();

    private Scope(RemoteMachine machine, Scope outer) {
        this.machine = machine;
        this.outer = outer;
    }

    static Scope open(RemoteMachine machine) {
        Scope[] current = CURRENT.get();
        current[0] = new Scope(machine, current[0]);
        return current[0];
    }

    /** As {@link #tidy(Supplier)}, for whoever makes something else than a tensor: {@link #keep} what is to stay. */
    static Scope openTidy() {
        return open(null);
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
        try (Scope scope = openTidy()) {
            return scope.keep(body.get());
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** As {@link #tidy(Supplier)}, for a result of several tensors. */
    public static <T> T tidy(Supplier<T> body, Function<T, List<Tensor>> tensors) {
        try (Scope scope = openTidy()) {
            T result = body.get();
            tensors.apply(result).forEach(scope::keep);
            return result;
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    static <T> T without(Supplier<T> body) {
        return inside(null, body);
    }

    /** The innermost scope of this thread, or null. */
    static @Nullable Scope current() {
        return CURRENT.get()[0];
    }

    /** Whether this thread is inside a scope of that machine. */
    static boolean isOpen(RemoteMachine machine) {
        for (Scope scope = current(); scope != null; scope = scope.outer) {
            if (scope.machine == machine) {
                return true;
            }
        }
        return false;
    }

    static void adopt(Tensor tensor) {
        Scope current = current();
        if (current != null) {
            current.take(tensor);
        }
    }

    /** A tensor that autograd saves outlives the inner scope: it belongs to the scope of the caller's own tensors. */
    static Tensor lasting(Tensor saved) {
        Scope scope = current();
        while (scope != null && scope.machine == null) {
            scope = scope.outer;
        }
        move(saved, scope);
        return saved;
    }

    /**
     * Moves a tensor to another scope. If the target is null, closed or of another thread, the tensor has no scope afterwards. A gradient
     * that another thread computed lives as long as its leaf.
     */
    static void move(Tensor tensor, Scope target) {
        if (tensor.scope() == target) {
            return;
        }
        if (tensor.scope() != null) {
            tensor.scope().forget(tensor);
        }
        if (target != null && target.owner == Thread.currentThread() && target.tensors != null) {
            target.take(tensor);
        }
    }

    /** Lets a tensor live as long as the next outer scope, or until it is closed or collected if there is none. */
    public Tensor keep(Tensor tensor) {
        if (tensor != null && tensor.scope() == this) {
            move(tensor, outer);
        }
        return tensor;
    }

    /** Has the caller's own code compute, whose tensors are the caller's. */
    <T> T outside(Supplier<T> body) {
        return inside(outer, body);
    }

    private static <T> T inside(Scope scope, Supplier<T> body) {
        Scope[] current = CURRENT.get();
        Scope before = current[0];
        current[0] = scope;
        try {
            return body.get();
        } finally {
            current[0] = before;
        }
    }

    /** This one, or the innermost one around it that is still open: where what was kept lives. Null for none. */
    Scope living() {
        Scope scope = this;
        while (scope != null && scope.tensors == null) {
            scope = scope.outer;
        }
        return scope;
    }

    /** Closes what was made inside. Closing again does nothing. */
    @Override
    public void close() {
        if (tensors == null) {
            return;
        }
        if (Thread.currentThread() != owner || current() != this) {
            throw new IllegalStateException("scope: close it on the thread that opened it, inner scopes first");
        }
        CURRENT.get()[0] = outer;
        ScopeMembers closing = tensors;
        tensors = null;
        close(closing);
        if (machine != null && !isOpen(machine)) {
            machine.endSegment();
        }
    }

    /** Some at a time, so that the recorder's lock is taken seldom, and what was looked at is still in the processor's cache. */
    private void close(ScopeMembers closing) {
        ValueHandle[] handles = new ValueHandle[Math.min(closing.size(), CLOSED_AT_ONCE)];
        Tensor.Closing how = machine == null ? Tensor.Closing.TIDY : Tensor.Closing.SCOPE;
        int count = 0;
        for (int place = 0; place < closing.end(); place++) {
            Tensor member = closing.at(place);
            ValueHandle last = member == null ? null : member.release(how);
            if (last != null) {
                handles[count++] = last;
            }
            if (count == handles.length) {
                ValueHandle.closeAll(handles, count);
                count = 0;
            }
        }
        ValueHandle.closeAll(handles, count);
    }

    private void take(Tensor tensor) {
        tensor.scope(this, tensors.add(tensor));
    }

    /**
     * A tensor that is closed, or lives elsewhere now, is not this scope's any more: a long scope must not grow by it. One that
     * another thread closes stays until room is made, since members are the owner's alone to change.
     */
    void forget(Tensor tensor) {
        if (Thread.currentThread() != owner) {
            return;
        }
        if (tensors != null) {
            tensors.remove(tensor.placeInScope());
        }
        tensor.scope(null, 0);
    }
}
