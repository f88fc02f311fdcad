package dev.outpost.internal;

import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.internal.vmap.BatchedTensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a tensor and of all its views. It refers to the current value. Values are immutable: a write computes a new value and
 * binds it here, so that all views see it.
 *
 * <p>Invariant: the bound value is row-major and has the dtype and the number of elements of the cell's first value.
 */
public final class Cell extends Storage {
    private static final VarHandle OPEN_TENSORS;
    private static final VarHandle WRITE_LOCK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OPEN_TENSORS = lookup.findVarHandle(Cell.class, "openTensors", int.class);
            WRITE_LOCK = lookup.findVarHandle(Cell.class, "writeLock", WriteLock.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** The lock of one storage. A thread that holds it may take it again. */
    static final class WriteLock extends ReentrantLock {
        private static final AtomicLong LATEST = new AtomicLong();

        final long number = LATEST.incrementAndGet();
    }

    private final TensorDevice device;
    /** The type of the cell's first value. Dtype and number of elements stay the same. */
    private final TensorType first;
    /** The number of open tensors over this storage. Atomic, because threads may create views of one storage at the same time. */
    private int openTensors;
    /** If this is the storage of one example of a mapped function, the storages of all examples; else null. */
    private @Nullable BatchedTensor batched;
    /** Null until the first write, because most storages are never written. */
    private @Nullable WriteLock writeLock;

    private Cell(TensorDevice device, RemoteValue value, boolean fresh) {
        super(value, fresh);
        this.device = device;
        first = value.type();
    }

    /** Creates a cell over the current value of another cell. */
    private Cell(Cell source) {
        super(source, source.recorder());
        device = source.device;
        first = source.first;
        batched = source.batched == null ? null : source.batched.another();
    }

    private Cell(BatchedTensor batched, Cell all, long elements) {
        super(all, all.recorder());
        device = all.device;
        first = new TensorType(all.dtype(), Shape.of(elements));
        this.batched = batched;
    }

    /** Returns the storage of one example, with the given number of elements. The cell owns the batch. */
    public static Cell of(BatchedTensor batched, long elements) {
        Cell all = States.cell(batched.physical());
        Cell one = new Cell(batched, all, elements);
        Reference.reachabilityFence(all);
        return one;
    }

    /** Returns a cell over a new value that has no other owner. */
    public static Cell over(TensorDevice device, RemoteValue fresh) {
        return new Cell(device, fresh, true);
    }

    /** Returns a cell over a value that has other owners, too. */
    public static Cell sharing(TensorDevice device, RemoteValue value) {
        return new Cell(device, value, false);
    }

    /** Returns another cell over the current value. Writes to one do not change the other. */
    public Cell snapshot() {
        Cell copy = new Cell(this);
        Reference.reachabilityFence(this);
        return copy;
    }

    /** Returns the storages of all examples if this is the storage of one example; else null. */
    public @Nullable BatchedTensor batch() {
        return batched;
    }

    /** Returns the same storage, without tracking by the autograd graph around a map. */
    public Cell detached() {
        return batched == null ? this : of(batched.detached(), elements());
    }

    public TensorDevice home() {
        return device;
    }

    private Recorder recorder() {
        return device.recorder().current();
    }

    public DType dtype() {
        return first.dtype();
    }

    public long elements() {
        return first.shape().elements();
    }

    /** True if the cell was created while a program was traced. It then has no value on a machine. */
    public boolean isOfProgram() {
        return handle().isOfProgram();
    }

    /**
     * Returns the type of the current value. Its shape may differ from a tensor's, but its number of elements is
     * fixed.
     */
    public TensorType type() {
        return batched == null ? value().type() : first;
    }

    /** Returns the current value; while a program is traced, the traced value in its place. */
    public RemoteValue value() {
        if (batched != null) {
            throw BatchLevel.refusal("value");
        }
        return recorder().value(this);
    }

    public boolean isClosed() {
        return handle().value() == null;
    }

    /** Begins a write: until {@link #endWrite}, no other thread can write this storage. Waits if another thread is writing it. */
    public void beginWrite() {
        writeLock().lock();
    }

    /** True if this thread has begun a write of this storage. */
    boolean isWriting() {
        return writeLock().isHeldByCurrentThread();
    }

    /** Ends the write that this thread began last. */
    public void endWrite() {
        writeLock().unlock();
    }

    WriteLock writeLock() {
        WriteLock known = (WriteLock) WRITE_LOCK.getAcquire(this);
        return known == null ? newWriteLock() : known;
    }

    private WriteLock newWriteLock() {
        WriteLock made = new WriteLock();
        WriteLock other = (WriteLock) WRITE_LOCK.compareAndExchange(this, (WriteLock) null, made);
        return other == null ? made : other;
    }

    /** Binds the current value of another cell here. The old value is released unless it has other owners. */
    public void bind(Cell source) {
        requireAlike(source.dtype(), source.elements());
        if ((batched == null) != (source.batched == null)) {
            throw new IllegalStateException("the storage of one example cannot hold what is the same for all");
        }
        if (source.batched != null) {
            bindAll(source.batched.another());
        } else {
            recorder().rebind(this, source);
        }
        Reference.reachabilityFence(source);
    }

    private void bindAll(BatchedTensor written) {
        recorder().rebind(this, States.cell(written.physical()));
        closeBatch();
        batched = written;
    }

    private void closeBatch() {
        if (batched != null) {
            batched.physical().close();
        }
    }

    private void requireAlike(DType other, long count) {
        if (other != dtype() || count != elements()) {
            throw new IllegalStateException(
                    "a cell of " + elements() + " " + dtype() + " cannot hold " + count + " " + other);
        }
    }

    /** Sets the name of the tensor that messages of faults show. */
    public void name(String newName) {
        handle().label(newName);
    }

    public String name() {
        return handle().label();
    }

    /** Returns the name for messages, or the type if it has none. */
    public String label() {
        return handle().describe();
    }

    public void opened() {
        if (openTensors == 0) {
            // No other thread knows a cell without tensors, so a plain write is enough.
            openTensors = 1;
        } else {
            OPEN_TENSORS.getAndAdd(this, 1);
        }
    }

    /** Records that one tensor over this cell was closed. Returns true if it was the last one; the caller then releases the value. */
    public boolean closedOne() {
        boolean isLast = (int) OPEN_TENSORS.getAndAdd(this, -1) == 1;
        if (isLast) {
            closeBatch();
        }
        return isLast;
    }

    /** True if more than one open tensor uses this cell. */
    public boolean isShared() {
        return (int) OPEN_TENSORS.getVolatile(this) > 1;
    }

    public void close() {
        handle().close();
    }
}
