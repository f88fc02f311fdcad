package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A GPU with its memory, its kernels and the ways to it, behind one lock: whoever holds it appends to the queue. Once the GPU has
 * failed for good nothing is tried any more.
 */
final class Device implements AutoCloseable {
    private static final int MOST_KERNELS = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Gpu gpu;
    private final Multiplier multiplier;
    private final Order order;
    private final MemoryPool pool;
    private final Staging staging;
    private final KernelCache kernels;
    private final Launcher launcher;
    private final Transfers transfers;
    private final Maps maps;
    private final Graphs graphs;
    private final String description;
    private final long memoryBytes;
    private volatile String brokenBy;
    private boolean closed;

    Device(Gpu gpu, KernelCompiler compiler, Multiplier multiplier, Optional<KernelFolder> folder) {
        this.gpu = gpu;
        this.multiplier = multiplier;
        order = new Order(gpu);
        pool = new MemoryPool(gpu, order);
        staging = new Staging(gpu);
        kernels = new KernelCache(gpu, compiler, folder, MOST_KERNELS);
        launcher = new Launcher(gpu, pool, kernels);
        transfers = new Transfers(gpu, staging, order, launcher);
        maps = new Maps(launcher);
        graphs = new Graphs(gpu, pool, launcher);
        pool.whenFull(graphs::clear);
        kernels.beforeUnloading(graphs::clear);
        description = gpu.description();
        memoryBytes = gpu.memoryBytes();
    }

    Launcher launcher() {
        return launcher;
    }

    Maps maps() {
        return maps;
    }

    String description() {
        return description;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    Optional<String> brokenBy() {
        return Optional.ofNullable(brokenBy);
    }

    /** The same kernel, run by one thread at a time. */
    Kernel locked(Kernel kernel) {
        return (op, in, out) -> locked(() -> {
            // In a graph the order is that of the graph.
            if (!launcher.isWithinGraph()) {
                List<Block> blocks = new ArrayList<>(in.length + out.length);
                addBlocks(in, blocks);
                addBlocks(out, blocks);
                order.use(blocks);
            }
            kernel.run(op, in, out);
            return null;
        });
    }

    private static void addBlocks(Array[] arrays, Collection<Block> blocks) {
        for (Array array : arrays) {
            blocks.add(((CudaBuffer) array.buffer()).block());
        }
    }

    CudaBuffer allocate(DType dtype, long elements, long owner) {
        if (elements > Long.MAX_VALUE / dtype.bytes()) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "allocate: no room, asked " + elements + " elements of " + dtype + "; the device has " + memoryBytes
                            + " bytes");
        }
        return locked(() -> new CudaBuffer(dtype, elements, pool.allocate(elements * dtype.bytes(), owner), owner));
    }

    /** What was on a device that is gone is gone, too. */
    void release(CudaBuffer buffer) {
        lock.lock();
        try {
            if (brokenBy == null && !closed) {
                pool.release(buffer.block(), buffer.owner());
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many of so many bytes there are, given that what lies here unused can be given back to the device. */
    long available(long bytes) {
        return locked(() -> {
            if (bytes <= pool.heldBytes()) {
                return bytes;
            }
            graphs.dropForgotten();
            return Math.min(bytes, pool.heldBytes() + graphs.heldBytes() + gpu.freeBytes());
        });
    }

    // ---- units

    /** As {@link dev.outpost.runtime.engine.Engine#run}. What was refused is asked once, when all of it has run. */
    boolean run(Object unit, long owner, List<Launch> launches) {
        Answer answer = locked(() -> launch(unit, owner, launches));
        if (answer == null || answer.count == 0) {
            return answer != null;
        }
        try {
            guarded(() -> {
                gpu.await(answer.mark);
                return null;
            });
            return !Launcher.hasRefused(answer.words, answer.count);
        } finally {
            giveBack(answer.words);
        }
    }

    /** The words of kernels that may refuse, and when they are here. */
    private record Answer(int count, ByteBuffer words, Gpu.Mark mark) {}

    private Answer launch(Object unit, long owner, List<Launch> launches) {
        Set<Block> blocks = new HashSet<>();
        for (Launch each : launches) {
            addBlocks(each.operands(), blocks);
            addBlocks(each.results(), blocks);
        }
        order.use(blocks);
        UnitMemory memory = graphs.launch(unit, owner, launches);
        if (memory == null) {
            return null;
        }
        int count = memory.refusals();
        if (count == 0) {
            return new Answer(0, null, null);
        }
        ByteBuffer words = staging.take();
        gpu.download(Queue.KERNELS, memory.refusalsAddress(), words, count * Long.BYTES);
        return new Answer(count, words, gpu.mark(Queue.KERNELS));
    }

    void forgetOwner(long owner) {
        graphs.forgetOwner(owner);
        lock.lock();
        try {
            if (brokenBy == null && !closed) {
                guarded(() -> {
                    graphs.dropForgotten();
                    return null;
                });
            }
        } catch (CudaException failure) {
            // A session ends whatever its device does; whoever computes next is told.
        } finally {
            lock.unlock();
        }
    }

    void forgetUnit(Object unit) {
        graphs.forgetUnit(unit);
    }

    // ---- writing

    void write(CudaBuffer target, long offset, Bytes source) {
        locked(() -> {
            transfers.write(target, offset, source);
            return null;
        });
    }

    // ---- reading

    void read(Array source, long first, int count, byte[] target, int at) {
        int bytes = source.dtype().bytes();
        int step = Staging.BYTES / bytes;
        for (int done = 0; done < count; done += step) {
            int part = Math.min(step, count - done);
            readPart(source, first + done, part, target, at + done * bytes);
        }
    }

    /** Others go on appending while this waits. */
    private void readPart(Array source, long first, int count, byte[] target, int at) {
        ByteBuffer buffer = locked(staging::take);
        try {
            Gpu.Mark mark = locked(() -> transfers.download(source, first, count, buffer));
            guarded(() -> {
                gpu.await(mark);
                return null;
            });
            buffer.get(0, target, at, count * source.dtype().bytes());
        } finally {
            giveBack(buffer);
        }
    }

    private void giveBack(ByteBuffer buffer) {
        lock.lock();
        try {
            staging.giveBack(buffer);
        } finally {
            lock.unlock();
        }
    }

    // ---- the lock

    /**
     * Others do not wait for what has to be compiled first: the work begins again when it is, as it may, since it changes
     * nothing but what it computes.
     */
    private <T> T locked(Supplier<T> work) {
        while (true) {
            try {
                return lockedNow(work);
            } catch (KernelCache.MissingException missing) {
                if (lock.isHeldByCurrentThread()) {
                    // Whoever holds it begins again.
                    throw missing;
                }
                kernels.compile(missing.source());
            }
        }
    }

    private <T> T lockedNow(Supplier<T> work) {
        lock.lock();
        try {
            requireUsable();
            return guarded(work);
        } finally {
            lock.unlock();
        }
    }

    private <T> T guarded(Supplier<T> work) {
        try {
            return work.get();
        } catch (CudaException failure) {
            if (DeviceFailure.isLasting(failure)) {
                brokenBy = failure.getMessage();
            }
            throw failure;
        }
    }

    private void requireUsable() {
        if (closed) {
            throw new IllegalStateException("cuda: the engine is closed");
        }
        if (brokenBy != null) {
            throw new OutpostException(FaultKind.EXTERNAL, "the machine's device failed: " + brokenBy);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                if (brokenBy == null) {
                    staging.close();
                    order.close();
                    graphs.clear();
                    launcher.close();
                    pool.trim();
                    multiplier.close();
                }
                gpu.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
