package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.OpException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * Holds a value until the handle is closed or its owner object is collected. The ledger keeps all open handles in a linked list, guarded by
 * its lock.
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
     * Read without the lock, and written under it. Not volatile, because every op opens a handle and closes one, and a volatile write would
     * wait until all earlier writes have reached memory.
     */
    private RemoteValue value;
    /** Null if the holder has no name. */
    private volatile String label;

    ValueHandle(Object owner, ReferenceQueue<Object> queue, HandleTable table, RemoteValue value) {
        super(owner, queue);
        this.table = table;
        this.value = value;
    }

    /** Returns the machine, or the group, that the value is on. */
    public RecordingOwner owner() {
        return table.owner();
    }

    /** Returns the program whose trace made the value, or null for a value of a machine. */
    public ProgramTrace program() {
        return null;
    }

    /** Returns true if the handle was made while a program was traced, and so holds no value of a machine. */
    public boolean isOfProgram() {
        return program() != null;
    }

    /** Returns the held value, or null if the handle is closed. */
    public RemoteValue value() {
        return (RemoteValue) VALUE.getAcquire(this);
    }

    /** Returns the held value. Fails if the handle is closed. */
    public RemoteValue held() {
        RemoteValue held = value();
        if (held == null) {
            String named = label().isEmpty() ? "" : " " + label();
            throw new OpException(
                    SourceLine.calledOp(), "the tensor" + named + " was closed, by close() or with its scope");
        }
        return held;
    }

    /** Makes the handle hold another value. The value before is freed unless something else holds it. */
    public void rebind(RemoteValue newValue) {
        table.rebind(this, newValue);
    }

    /** Sets the name of the holder that appears in messages about faults. */
    public void label(String newLabel) {
        label = newLabel;
    }

    /** Returns the holder's name for messages; empty if it has none. */
    public String label() {
        String given = label;
        return given == null ? "" : given;
    }

    /** Returns the holder's name, or else its type, for messages. */
    public String describe() {
        String name = label();
        return (name.isEmpty() ? "tensor" : name) + " " + held().type();
    }

    /** Releases the value. Closing again does nothing. */
    public void close() {
        table.close(this);
    }

    /** Closes the first {@code count} handles, which may be of several machines. This is faster than closing each. */
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
