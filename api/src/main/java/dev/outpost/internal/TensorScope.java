package dev.outpost.internal;

import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.ValueHandle;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tensors that a thread creates while the scope is open. Closing the scope closes them. Scopes nest, and belong to the thread that
 * opened them. The end of a recorder's outermost scope ends the thread's segment; a tidy scope does not end a segment.
 */
public final class TensorScope implements AutoCloseable {
    /**
     * The innermost scope of each thread, in a one-element array. This is a hot path: every function of several ops opens and closes a
     * scope.
     */
    private static final ThreadLocal<TensorScope[]> CURRENT = ThreadLocal.withInitial(() -> new TensorScope[1]);

    private static final int CLOSED_AT_ONCE = 64;

    /** Null for a tidy scope, which does not end a segment. */
    private final Recorder recorder;

    private final TensorScope outer;
    private final Thread owner = Thread.currentThread();
    private Members tensors = new Members();

    private TensorScope(Recorder recorder, TensorScope outer) {
        this.recorder = recorder;
        this.outer = outer;
    }

    /** Opens a scope on this thread whose end ends a segment of a recorder. */
    public static TensorScope open(Recorder recorder) {
        TensorScope[] current = CURRENT.get();
        current[0] = new TensorScope(recorder, current[0]);
        return current[0];
    }

    /** Opens a scope that does not end a segment. The caller keeps its results by {@link #keep}. */
    public static TensorScope openTidy() {
        return open(null);
    }

    /** Runs the body as if no scope were open on this thread, so no scope closes the tensors that it creates. */
    public static <T extends @Nullable Object> T unscoped(Supplier<T> body) {
        return inside(null, body);
    }

    /** Returns the innermost scope of this thread, or null. */
    public static @Nullable TensorScope current() {
        return CURRENT.get()[0];
    }

    /** True if this thread is inside a scope of this recorder. */
    public static boolean isOpen(Recorder recorder) {
        for (TensorScope scope = current(); scope != null; scope = scope.outer) {
            if (scope.recorder == recorder) {
                return true;
            }
        }
        return false;
    }

    static void adopt(TensorState tensor) {
        TensorScope current = current();
        if (current != null) {
            current.take(tensor);
        }
    }

    /**
     * Returns a tensor that autograd saves outlives the inner scope: it belongs to the scope of the caller's own
     * tensors.
     */
    public static <T extends TensorState> T lasting(T saved) {
        TensorScope scope = current();
        while (scope != null && scope.recorder == null) {
            scope = scope.outer;
        }
        move(saved, scope);
        return saved;
    }

    /**
     * Moves a tensor to another scope. If the target is null, closed or of another thread, the tensor has no scope afterwards. A gradient
     * that another thread computed lives as long as its leaf.
     */
    public static void move(TensorState tensor, @Nullable TensorScope target) {
        if (tensor.scope == target) {
            return;
        }
        if (tensor.scope != null) {
            tensor.scope.forget(tensor);
        }
        if (target != null && target.owner == Thread.currentThread() && target.tensors != null) {
            target.take(tensor);
        }
    }

    /** Moves a tensor to the next outer scope. Without an outer scope, it lives until it is closed or collected. */
    public <T extends @Nullable TensorState> T keep(T tensor) {
        if (tensor != null && tensor.scope == this) {
            move(tensor, outer);
        }
        return tensor;
    }

    /** Runs the caller's code outside of this scope, so that the caller owns the tensors that it creates. */
    public <T extends @Nullable Object> T outside(Supplier<T> body) {
        return inside(outer, body);
    }

    private static <T extends @Nullable Object> T inside(TensorScope scope, Supplier<T> body) {
        TensorScope[] current = CURRENT.get();
        TensorScope before = current[0];
        current[0] = scope;
        try {
            return body.get();
        } finally {
            current[0] = before;
        }
    }

    /**
     * Returns this scope if it is open, else the innermost open scope around it; kept tensors live there. Returns
     * null if no scope is open.
     */
    public @Nullable TensorScope living() {
        TensorScope scope = this;
        while (scope != null && scope.tensors == null) {
            scope = scope.outer;
        }
        return scope;
    }

    /** Closes the tensors created in the scope. Closing again does nothing. */
    @Override
    public void close() {
        if (tensors == null) {
            return;
        }
        if (Thread.currentThread() != owner || current() != this) {
            throw new IllegalStateException("scope: close it on the thread that opened it, inner scopes first");
        }
        CURRENT.get()[0] = outer;
        Members closing = tensors;
        tensors = null;
        close(closing);
        if (recorder != null && !isOpen(recorder)) {
            recorder.endSegment();
        }
    }

    /** Closes the tensors in batches, so that the recorder's lock is taken rarely and a batch still fits the processor's cache. */
    private void close(Members closing) {
        ValueHandle[] handles = new ValueHandle[Math.min(closing.size(), CLOSED_AT_ONCE)];
        TensorState.Closing how = recorder == null ? TensorState.Closing.TIDY : TensorState.Closing.SCOPE;
        int count = 0;
        for (int place = 0; place < closing.end(); place++) {
            TensorState member = closing.at(place);
            ValueHandle last = member == null ? null : States.release(member, how);
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

    private void take(TensorState tensor) {
        tensor.scope = this;
        tensor.placeInScope = tensors.add(tensor);
    }

    /**
     * Removes a tensor that was closed or moved, so that a long scope does not grow. If another thread closes a tensor, it stays until
     * {@code compact}, because only the owner may change the members.
     */
    void forget(TensorState tensor) {
        if (Thread.currentThread() != owner) {
            return;
        }
        if (tensors != null) {
            tensors.remove(tensor.placeInScope);
        }
        tensor.scope = null;
    }

    /**
     * The tensors of a scope in the order in which they were added. Each tensor stores its index, so that adding and removing are
     * cheap: every op of a program does it. Used only by the scope's thread.
     */
    private static final class Members {
        private static final int FIRST_ROOM = 16;

        private TensorState[] members = new TensorState[FIRST_ROOM];
        private int end;
        private int live;

        /** Returns the tensor's index. {@code compact} changes indices and stores the new ones in the tensors. */
        int add(TensorState tensor) {
            if (end == members.length) {
                compact();
            }
            members[end] = tensor;
            live++;
            return end++;
        }

        void remove(int place) {
            members[place] = null;
            live--;
        }

        /** Returns the index after the last index in use. */
        int end() {
            return end;
        }

        /** Returns the tensor at an index, or null if it was removed. */
        TensorState at(int place) {
            return members[place];
        }

        /**
         * Returns the number of tensors. It includes tensors that other threads have closed since the last {@code
         * compact}.
         */
        int size() {
            return live;
        }

        /** Removes gaps before the array grows, so that the size of a long scope depends only on its live tensors. */
        private void compact() {
            int kept = 0;
            for (int place = 0; place < end; place++) {
                TensorState tensor = members[place];
                if (tensor != null && tensor.closing != null) {
                    // Another thread has closed it.
                    tensor.scope = null;
                    live--;
                } else if (tensor != null) {
                    members[kept] = tensor;
                    tensor.placeInScope = kept++;
                }
            }
            Arrays.fill(members, kept, end, null);
            end = kept;
            if (2 * live > members.length) {
                members = Arrays.copyOf(members, 2 * members.length);
            }
        }
    }
}
