package dev.outpost;

import dev.outpost.client.ClientSession;
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
 */
public final class Scope implements AutoCloseable {
    private static final ThreadLocal<Scope> CURRENT = new ThreadLocal<>();

    private final RemoteMachine machine;
    private final Scope outer;
    private final Thread owner = Thread.currentThread();
    private ScopeMembers tensors = new ScopeMembers();

    private Scope(RemoteMachine machine, Scope outer) {
        this.machine = machine;
        this.outer = outer;
    }

    static Scope open(RemoteMachine machine) {
        Scope scope = new Scope(machine, CURRENT.get());
        CURRENT.set(scope);
        return scope;
    }

    static <T> T without(Supplier<T> body) {
        Scope before = CURRENT.get();
        setCurrent(null);
        try {
            return body.get();
        } finally {
            setCurrent(before);
        }
    }

    /** The innermost scope of this thread, or null. */
    static Scope current() {
        return CURRENT.get();
    }

    /** Whether this thread is inside a scope of that machine. */
    static boolean isOpen(RemoteMachine machine) {
        for (Scope scope = CURRENT.get(); scope != null; scope = scope.outer) {
            if (scope.machine == machine) {
                return true;
            }
        }
        return false;
    }

    static void adopt(Tensor tensor) {
        Scope current = CURRENT.get();
        if (current != null) {
            current.take(tensor);
        }
    }

    /** Hands a tensor to another scope; null, or a scope that is closed, for none. */
    static void move(Tensor tensor, Scope target) {
        if (tensor.scope() == target) {
            return;
        }
        if (tensor.scope() != null) {
            tensor.scope().forget(tensor);
        }
        if (target != null && target.tensors != null) {
            target.take(tensor);
        }
    }

    /** Lets a tensor live as long as the next outer scope, or until it is closed or collected if there is none. */
    public Tensor keep(Tensor tensor) {
        if (tensor.scope() == this) {
            move(tensor, outer);
        }
        return tensor;
    }

    /** Closes what was made inside. Closing again does nothing. */
    @Override
    public void close() {
        if (tensors == null) {
            return;
        }
        if (Thread.currentThread() != owner || CURRENT.get() != this) {
            throw new IllegalStateException("scope: close it on the thread that opened it, inner scopes first");
        }
        setCurrent(outer);
        ScopeMembers closing = tensors;
        tensors = null;
        ClientSession session = machine.sessionIfAny();
        if (session != null) {
            session.together(() -> closing.forEach(tensor -> closeOf(session, tensor)));
        }
        // Those of other machines, one by one: under two locks at once threads could wait for each other.
        closing.forEach(Tensor::close);
        if (session != null && !isOpen(machine)) {
            session.endSegment();
        }
    }

    private static void closeOf(ClientSession session, Tensor tensor) {
        if (tensor.session() == session) {
            tensor.close();
        }
    }

    private void take(Tensor tensor) {
        tensor.scope(this, tensors.add(tensor));
    }

    /** A tensor that is closed, or lives elsewhere now, is not this scope's any more: a long scope must not grow by it. */
    void forget(Tensor tensor) {
        if (tensors != null) {
            tensors.remove(tensor.placeInScope());
        }
        tensor.scope(null, 0);
    }

    private static void setCurrent(Scope scope) {
        if (scope == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(scope);
        }
    }
}
