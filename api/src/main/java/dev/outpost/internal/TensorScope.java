package dev.outpost.internal;

import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.ValueHandle;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tensors that a thread makes while the scope is open, and closes with it. Scopes nest, and belong to the thread that opened them. The
 * end of a recorder's outermost one ends the thread's segment there; one that is tidy ends none.
 */
public final class TensorScope implements AutoCloseable {
    /** A box for each thread's: opening and closing happens within every function of more than one op. */
    private static final ThreadLocal<TensorScope[]> CURRENT = ThreadLocal.withInitial(() -> new TensorScope[1]);

    private static final int CLOSED_AT_ONCE = 64;

    /** Null for one that is tidy, and ends no segment. */
    private final Recorder recorder;

    private final TensorScope outer;
    private final Thread owner = Thread.currentThread();
    private Members tensors = new Members();

    private TensorScope(Recorder recorder, TensorScope outer) {
        this.recorder = recorder;
        this.outer = outer;
    }

    /** Opens a scope on this thread, at the end of which a recorder ends a segment. */
    public static TensorScope open(Recorder recorder) {
        TensorScope[] current = CURRENT.get();
        current[0] = new TensorScope(recorder, current[0]);
        return current[0];
    }

    /** Opens a scope that ends no segment. The caller keeps its results by {@link #keep}. */
    public static TensorScope openTidy() {
        return open(null);
    }

    /** Computes with no scope open on this thread, so that what is made lives on its own. */
    public static <T extends @Nullable Object> T unscoped(Supplier<T> body) {
        return inside(null, body);
    }

    /** The innermost scope of this thread, or null. */
    public static @Nullable TensorScope current() {
        return CURRENT.get()[0];
    }

    /** True if this thread is inside a scope of that recorder. */
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

    /** A tensor that autograd saves outlives the inner scope: it belongs to the scope of the caller's own tensors. */
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

    /** Lets a tensor live as long as the next outer scope, or until it is closed or collected if there is none. */
    public <T extends @Nullable TensorState> T keep(T tensor) {
        if (tensor != null && tensor.scope == this) {
            move(tensor, outer);
        }
        return tensor;
    }

    /** Has the caller's own code compute, whose tensors are the caller's. */
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

    /** This one, or the innermost one around it that is still open: where what was kept lives. Null for none. */
    public @Nullable TensorScope living() {
        TensorScope scope = this;
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
        Members closing = tensors;
        tensors = null;
        close(closing);
        if (recorder != null && !isOpen(recorder)) {
            recorder.endSegment();
        }
    }

    /** Some at a time, so that the recorder's lock is taken seldom, and what was looked at is still in the processor's cache. */
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
     * A tensor that is closed, or lives elsewhere now, is not this scope's any more: a long scope must not grow by it. One that
     * another thread closes stays until room is made, since members are the owner's alone to change.
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
     * The tensors of a scope, in the order in which they came. Each knows its place, so that one more costs next to nothing:
     * every op of a program comes by here. Used by the scope's thread alone.
     */
    private static final class Members {
        private static final int FIRST_ROOM = 16;

        private TensorState[] members = new TensorState[FIRST_ROOM];
        private int end;
        private int live;

        /** The answer is its place, which changes when room is made: each is told of its own. */
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

        /** Behind the last place. */
        int end() {
            return end;
        }

        /** The tensor at a place, or null where it is not here any more. */
        TensorState at(int place) {
            return members[place];
        }

        /** How many there are, those included that other threads have closed lately. */
        int size() {
            return live;
        }

        /** Gaps are closed before the array grows: a long scope holds as much as lives in it. */
        private void compact() {
            int kept = 0;
            for (int place = 0; place < end; place++) {
                TensorState tensor = members[place];
                if (tensor != null && tensor.closing != null) {
                    // By another thread.
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
