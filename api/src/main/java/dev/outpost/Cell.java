package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.client.RemoteValue;
import dev.outpost.client.ValueHandle;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.TensorType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * The storage of a tensor and of all its views: it holds the value that is current. Values never change; a write
 * computes a new one and binds it here, so that every view sees it.
 *
 * <p>Invariant: the bound value has the dtype and the number of elements that the cell began with, row-major.
 */
final class Cell {
    private static final VarHandle OPEN_TENSORS;

    static {
        try {
            OPEN_TENSORS = MethodHandles.lookup().findVarHandle(Cell.class, "openTensors", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Trace trace = Trace.current();
    private final ValueHandle handle;
    private final DType dtype;
    private final long elements;
    /** Threads may view one storage at the same time. */
    private int openTensors;

    private String name = "";

    private Cell(RemoteValue value, boolean fresh) {
        handle = fresh ? value.session().adopt(this, value) : value.session().hold(this, value);
        dtype = value.type().dtype();
        elements = value.type().shape().elements();
    }

    /** Over what another cell holds at that moment. */
    private Cell(Cell source) {
        handle = source.session().share(this, source.handle);
        dtype = source.dtype;
        elements = source.elements;
    }

    /** A cell over a value that was just recorded and that nothing holds yet. */
    static Cell over(RemoteValue fresh) {
        return new Cell(fresh, true);
    }

    /** A cell over a value that something else holds as well. */
    static Cell sharing(RemoteValue value) {
        return new Cell(value, false);
    }

    /** Another cell over the current value: what is written to one is not seen by the other. */
    Cell snapshot() {
        Cell copy = isTracedHere() ? new Cell(value(), false) : new Cell(this);
        Reference.reachabilityFence(this);
        return copy;
    }

    ClientSession session() {
        return handle.session();
    }

    DType dtype() {
        return dtype;
    }

    long elements() {
        return elements;
    }

    /** The program in whose trace it was made, or null. */
    Trace trace() {
        return trace;
    }

    /** The type of the current value; its shape may differ from any tensor's, its elements never do. */
    TensorType type() {
        return value().type();
    }

    /** The current value; while a program is traced, what stands for it there. */
    RemoteValue value() {
        return isTracedHere() ? Trace.current().valueOf(this) : held();
    }

    /** What it holds, whatever is traced. */
    RemoteValue held() {
        return handle.held();
    }

    /** Whether the program that this thread traces knows it by another value. */
    private boolean isTracedHere() {
        Trace tracing = Trace.current();
        return tracing != null && !tracing.owns(this);
    }

    boolean isClosed() {
        return handle.value() == null;
    }

    /** Makes the current value of another cell current here; the superseded one dies unless something else holds it. */
    void bind(Cell source) {
        if (isTracedHere() || source.isTracedHere()) {
            bind(source.value());
        } else {
            requireAlike(source.dtype, source.elements);
            handle.rebind(source.handle);
        }
        Reference.reachabilityFence(source);
    }

    void bind(RemoteValue value) {
        requireAlike(value.type().dtype(), value.type().shape().elements());
        if (isTracedHere()) {
            Trace.current().write(this, value);
        } else {
            handle.rebind(value);
        }
    }

    private void requireAlike(DType other, long count) {
        if (other != dtype || count != elements) {
            throw new IllegalStateException(
                    "a cell of " + elements + " " + dtype + " cannot hold " + count + " " + other);
        }
    }

    ValueHandle handle() {
        return handle;
    }

    /** What people call the tensor, for faults that took it. */
    void name(String newName) {
        name = newName;
        handle.label(newName);
    }

    String name() {
        return name;
    }

    /** For people: its name, or at least its type. */
    String label() {
        return (name.isEmpty() ? "tensor" : name) + " " + held().type();
    }

    void opened() {
        if (openTensors == 0) {
            // No other thread knows a cell without tensors, and most have one only.
            openTensors = 1;
        } else {
            OPEN_TENSORS.getAndAdd(this, 1);
        }
    }

    /** One tensor over this cell was closed; the last one takes the value with it. */
    void closedOne() {
        if ((int) OPEN_TENSORS.getAndAdd(this, -1) == 1) {
            close();
        }
    }

    void close() {
        handle.close();
    }
}
