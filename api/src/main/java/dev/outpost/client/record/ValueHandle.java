package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.OpException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * Holds a value for as long as some object lives: until the handle is closed, or the object is collected. The ledger
 * keeps all open handles in a linked list, guarded by its lock.
 */
public sealed class ValueHandle extends PhantomReference<Object> permits ProgramHandle {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(ValueHandle.class, "value", RemoteValue.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final HandleTable table;
    ValueHandle previous;
    ValueHandle next;
    /**
     * Read without the lock, and written under it. Not volatile: such a write waits for all before it to reach memory, and every
     * op makes a handle and closes one.
     */
    private RemoteValue value;
    /** Null for none. */
    private volatile String label;

    ValueHandle(Object owner, ReferenceQueue<Object> queue, HandleTable table, RemoteValue value) {
        super(owner, queue);
        this.table = table;
        this.value = value;
    }

    /** The machine, or the group, that the value is on. */
    public RecordingOwner owner() {
        return table.owner();
    }

    /** The program in whose trace it was made, for a value of that; null for one that holds a machine's values. */
    public ProgramTrace program() {
        return null;
    }

    /** Whether it was made while a program was traced, and so holds no value of a machine. */
    public boolean isOfProgram() {
        return program() != null;
    }

    /** The value that is held now, or null when the handle is closed. */
    public RemoteValue value() {
        return (RemoteValue) VALUE.getAcquire(this);
    }

    /** The value that is held now; refused when the handle is closed. */
    public RemoteValue held() {
        RemoteValue held = value();
        if (held == null) {
            String named = label().isEmpty() ? "" : " " + label();
            throw new OpException(
                    SourceLine.calledOp(), "the tensor" + named + " was closed, by close() or with its scope");
        }
        return held;
    }

    /** Holds another value instead; the one before dies unless something else holds it. */
    public void rebind(RemoteValue newValue) {
        table.rebind(this, newValue);
    }

    /** Says what people call the holder, for faults that took its value. */
    public void label(String newLabel) {
        label = newLabel;
    }

    /** The holder's name for people; empty where it has none. */
    public String label() {
        String given = label;
        return given == null ? "" : given;
    }

    /** For people: the holder's name, or at least its type. */
    public String describe() {
        String name = label();
        return (name.isEmpty() ? "tensor" : name) + " " + held().type();
    }

    /** Lets go. Closing again does nothing. */
    public void close() {
        table.close(this);
    }

    /** Lets go of the first of these, which may be of several machines. That is quicker than to close each. */
    public static void closeAll(ValueHandle[] handles, int count) {
        for (int from = 0; from < count; ) {
            int to = from + 1;
            while (to < count && handles[to].table == handles[from].table) {
                to++;
            }
            handles[from].table.close(handles, from, to);
            from = to;
        }
    }

    RemoteValue exchange(RemoteValue newValue) {
        RemoteValue before = value;
        VALUE.setRelease(this, newValue);
        return before;
    }
}
