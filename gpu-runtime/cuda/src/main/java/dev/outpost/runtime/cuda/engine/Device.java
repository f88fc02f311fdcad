package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.kernel.Maps;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.GraphMemory;
import dev.outpost.runtime.cuda.launch.KernelCache;
import dev.outpost.runtime.cuda.launch.KernelFolder;
import dev.outpost.runtime.cuda.launch.MemoryPool;
import dev.outpost.runtime.cuda.launch.Staging;
import dev.outpost.runtime.cuda.launch.StreamDependencies;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A GPU with its memory, kernels and transfers, guarded by one lock. The thread that holds the lock appends work to
 * the GPU's queues. After a permanent failure of the GPU, all calls fail.
 */
final class Device implements AutoCloseable {
    private static final int MAX_KERNELS = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Gpu gpu;
    private final Multiplier multiplier;
    private final StreamDependencies dependencies;
    private final MemoryPool pool;
    private final Staging staging;
    private final KernelCache kernels;
    private final CudaLauncher launcher;
    private final Transfers transfers;
    private final Maps maps;
    private final Graphs graphs;
    private final Map<Queue, QueueWaiter> waiters = new EnumMap<>(Queue.class);
    private final DeviceClock clock;
    /** The memory blocks of the running kernel; null if none runs. Guarded by the lock. */
    private Collection<DeviceAllocation> inUse;

    private final String description;
    private final long memoryBytes;
    private volatile String brokenBy;
    private boolean closed;

    Device(Gpu gpu, KernelCompiler compiler, Multiplier multiplier, Optional<KernelFolder> folder) {
        this.gpu = gpu;
        this.multiplier = multiplier;
        dependencies = new StreamDependencies(gpu);
        pool = new MemoryPool(gpu, dependencies);
        staging = new Staging(gpu);
        kernels = new KernelCache(gpu, compiler, folder, MAX_KERNELS);
        launcher = new CudaLauncher(gpu, pool, kernels, staging, this::awaitUnlocked);
        transfers = new Transfers(gpu, dependencies, launcher);
        for (Queue queue : Queue.values()) {
            waiters.put(queue, new QueueWaiter(queue, this::reach));
        }
        clock = new DeviceClock(gpu, waiters.get(Queue.KERNELS));
        maps = new Maps(launcher);
        graphs = new Graphs(gpu, pool, launcher);
        kernels.beforeUnloading(graphs::clear);
        description = gpu.description();
        memoryBytes = gpu.memoryBytes();
    }

    CudaLauncher launcher() {
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

    /** Returns a kernel that runs the given one under the lock. */
    Kernel locked(Kernel kernel) {
        return (op, in, out) -> locked(() -> {
            // Kernels within a graph run in order without marks.
            if (launcher.isWithinGraph()) {
                kernel.run(op, in, out);
            } else {
                run(kernel, op, in, out);
            }
            return null;
        });
    }

    private void run(Kernel kernel, Op op, Array[] in, Array[] out) {
        List<DeviceAllocation> deviceAllocations = new ArrayList<>(in.length + out.length);
        addBlocks(in, deviceAllocations);
        addBlocks(out, deviceAllocations);
        dependencies.use(deviceAllocations);
        inUse = deviceAllocations;
        try {
            kernel.run(op, in, out);
        } finally {
            inUse = null;
        }
    }

    private static void addBlocks(Array[] arrays, Collection<DeviceAllocation> blocks) {
        for (Array array : arrays) {
            blocks.add(((CudaBuffer) array.buffer()).allocation());
        }
    }

    CudaBuffer allocate(DType dtype, long elements, long owner, long use) {
        if (elements > Long.MAX_VALUE / dtype.bytes()) {
            throw new OutpostException(
                    FaultKind.RESOURCES,
                    "allocate: out of memory, requested " + elements + " elements of " + dtype + "; the device has "
                            + memoryBytes + " bytes");
        }
        return locked(
                () -> new CudaBuffer(dtype, elements, pool.allocate(elements * dtype.bytes(), owner, use), owner));
    }

    /** Releases memory. Does nothing if the device is lost, since its memory is lost too. */
    void release(CudaBuffer buffer) {
        lock.lock();
        try {
            if (brokenBy == null && !closed) {
                pool.release(buffer.allocation(), buffer.owner());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of the given bytes that are available. This includes unused memory of the pool, which can be
     * returned to the device.
     */
    long available(long bytes) {
        return locked(() -> {
            if (bytes <= pool.heldBytes()) {
                return bytes;
            }
            graphs.dropForgotten();
            return Math.min(bytes, pool.heldBytes() + graphs.heldBytes() + gpu.freeBytes());
        });
    }

    // ---- launch groups

    /**
     * Implements {@link dev.outpost.runtime.engine.Engine#run}. Reads the refused values once, after the whole group
     * has run.
     */
    boolean run(Object unit, long owner, List<Launch> launches) {
        Answer answer = locked(() -> launch(unit, owner, launches));
        if (answer == null || answer.count == 0) {
            return answer != null;
        }
        try {
            await(answer.mark);
            return !CudaLauncher.hasRefused(answer.words, answer.count);
        } finally {
            releaseStaging(answer.words);
        }
    }

    /** Implements {@link dev.outpost.runtime.engine.Engine#ready}. */
    Optional<PreparedLaunchGroup> ready(Object unit, long owner, List<Launch> launches) {
        Graphs.Captured graph = locked(() -> graphs.hold(unit, owner, launches));
        return graph == null ? Optional.empty() : Optional.of(new Held(graph, blocksOf(launches)));
    }

    private final class Held implements PreparedLaunchGroup {
        private final Graphs.Captured graph;
        private final Set<DeviceAllocation> blocks;
        private boolean isOver;

        Held(Graphs.Captured graph, Set<DeviceAllocation> blocks) {
            this.graph = graph;
            this.blocks = blocks;
        }

        @Override
        public Completion launch() {
            return locked(() -> {
                dependencies.use(blocks);
                graphs.launch(graph);
                releaseAll();
                return completion(Queue.KERNELS);
            });
        }

        @Override
        public void cancel() {
            lock.lock();
            try {
                if (brokenBy == null && !closed && !isOver) {
                    releaseAll();
                }
            } finally {
                lock.unlock();
            }
        }

        private void releaseAll() {
            isOver = true;
            graphs.release(graph);
        }
    }

    /** Drops the graphs that contain the exchanger, and waits for those that run. */
    void forgetExchanger(Kernel exchanger) {
        lock.lock();
        try {
            if (brokenBy == null && !closed) {
                guarded(() -> {
                    graphs.dropAllOf(exchanger);
                    return null;
                });
            }
        } finally {
            lock.unlock();
        }
    }

    private static Set<DeviceAllocation> blocksOf(List<Launch> launches) {
        Set<DeviceAllocation> blocks = new HashSet<>();
        for (Launch each : launches) {
            addBlocks(each.operands(), blocks);
            addBlocks(each.results(), blocks);
        }
        return blocks;
    }

    /**
     * The words in which kernels report refused values, and the mark after which the words have been copied to the
     * host.
     */
    private record Answer(int count, ByteBuffer words, Gpu.Mark mark) {}

    private Answer launch(Object unit, long owner, List<Launch> launches) {
        dependencies.use(blocksOf(launches));
        GraphMemory graphMemory = graphs.launch(unit, owner, launches);
        if (graphMemory == null) {
            return null;
        }
        int count = graphMemory.refusals();
        if (count == 0) {
            return new Answer(0, null, null);
        }
        ByteBuffer words = staging.take(count * Long.BYTES);
        gpu.download(Queue.KERNELS, graphMemory.refusalsAddress(), words, count * Long.BYTES);
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
            // A session ends even if its device fails. The next computation reports the failure.
        } finally {
            lock.unlock();
        }
    }

    void forgetGroup(Object unit) {
        graphs.forgetGroup(unit);
    }

    // ---- exchanges

    /** Copies elements to a buffer of a library. */
    void copy(Array from, Array to) {
        locked((Kernel) (op, in, out) -> maps.copy(in[0], out[0])).run(null, new Array[] {from}, new Array[] {to});
    }

    /**
     * Runs the work of a library, which appends to the queue of exchanges, after all earlier kernels. Later kernels
     * run concurrently, except those that use the same memory.
     *
     * @param result the buffer that the exchange writes
     * @param scratch the other buffers of the exchange
     * @return the completion that is done when the queue has passed the exchange
     */
    Completion exchange(CudaBuffer result, List<CudaBuffer> scratch, Runnable work) {
        return locked(() -> {
            List<DeviceAllocation> deviceAllocations = new ArrayList<>();
            deviceAllocations.add(result.allocation());
            scratch.forEach(each -> deviceAllocations.add(each.allocation()));
            dependencies.beforeExchange(deviceAllocations);
            work.run();
            dependencies.afterExchange(deviceAllocations);
            return completion(Queue.EXCHANGES);
        });
    }

    /** Adds an exchange to the captured graph. {@code last} runs before the first kernel that needs the result. */
    void exchangeWithinGraph(CudaBuffer result, List<CudaBuffer> scratch, Runnable work, Runnable last) {
        if (!isCapturing()) {
            throw new IllegalStateException("cuda: an exchange of a unit runs within a graph alone");
        }
        List<CudaBuffer> memory = new ArrayList<>(scratch);
        memory.add(result);
        launcher.exchanges().begin(memory, work, last);
    }

    /** Allocates memory for an exchange, to be released by {@link #releaseScratch}. */
    CudaBuffer scratch(DType dtype, long elements, long owner) {
        return isCapturing()
                ? (CudaBuffer) launcher.scratch(dtype, Shape.of(elements)).buffer()
                : allocate(dtype, elements, owner, Engine.NO_USE);
    }

    void releaseScratch(CudaBuffer scratch) {
        if (isCapturing()) {
            launcher.release(scratch.allocation());
        } else {
            release(scratch);
        }
    }

    /** Returns true if this thread captures a graph. */
    private boolean isCapturing() {
        return lock.isHeldByCurrentThread() && launcher.isWithinGraph();
    }

    /** Returns a completion of all work in the queue of kernels. */
    Completion past() {
        return locked(() -> completion(Queue.KERNELS));
    }

    private Completion completion(Queue queue) {
        Completion done = new Completion();
        Gpu.Mark mark = gpu.mark(queue);
        waiters.get(queue).add(mark, failure -> {
            gpu.forget(mark);
            if (failure == null) {
                done.complete();
            } else {
                done.fail(failure);
            }
        });
        return done;
    }

    // ---- writing

    /**
     * Implements {@link dev.outpost.runtime.engine.Engine#write}. If many copies are under way, waits for the oldest
     * one without holding the lock.
     */
    void write(CudaBuffer target, long offset, Bytes source) {
        UploadBuffers.fill(target.dtype(), source, new Upload(target, offset, source.length()));
    }

    /** Implements {@link dev.outpost.runtime.engine.Engine#writeLater}. */
    Completion writeLater(CudaBuffer target, long offset, Bytes source) {
        LateUpload upload = new LateUpload(target, offset, source.length());
        UploadBuffers.fill(target.dtype(), source, upload);
        return upload.arrival.all();
    }

    /** A copy of bytes into a buffer. */
    private class Upload implements UploadBuffers.Way {
        private final DeviceAllocation allocation;
        private final int length;
        private Queue way;
        private long address;

        Upload(CudaBuffer target, long offset, int length) {
            this.allocation = target.allocation();
            this.address = target.address(offset);
            this.length = length;
        }

        @Override
        public ByteBuffer take(int bytes) {
            Staging.UnderWay oldest = locked(staging::oldestOfMany);
            if (oldest == null) {
                return locked(() -> staging.take(Staging.BYTES));
            }
            await(oldest.mark());
            return oldest.buffer();
        }

        @Override
        public void send(ByteBuffer buffer, int bytes) {
            locked(() -> {
                way = way == null ? transfers.way(allocation, length) : way;
                sent(buffer, transfers.upload(way, allocation, address, buffer, bytes));
                address += bytes;
                return null;
            });
        }

        void sent(ByteBuffer buffer, Transfers.Copy copy) {
            staging.sent(buffer, copy.mark());
        }
    }

    /** An upload that never waits, and that reports its completion. */
    private final class LateUpload extends Upload {
        private final CompositeCompletion arrival = new CompositeCompletion();

        LateUpload(CudaBuffer target, long offset, int length) {
            super(target, offset, length);
        }

        @Override
        public ByteBuffer take(int bytes) {
            return locked(() -> staging.take(bytes));
        }

        @Override
        void sent(ByteBuffer buffer, Transfers.Copy copy) {
            whenPast(copy, buffer, arrival.next(), () -> {});
        }
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

    /** Reads a part. Other threads continue to append while this one waits. */
    private void readPart(Array source, long first, int count, byte[] target, int at) {
        int bytes = count * source.dtype().bytes();
        ByteBuffer buffer = locked(() -> staging.take(bytes));
        try {
            await(locked(() -> transfers.download(source, first, count, buffer)).mark());
            buffer.get(0, target, at, bytes);
        } finally {
            releaseStaging(buffer);
        }
    }

    /** Implements {@link dev.outpost.runtime.engine.Engine#readLater}. */
    Completion readLater(Array source, long first, int count, byte[] target, int at) {
        int width = source.dtype().bytes();
        int step = Staging.BYTES / width;
        CompositeCompletion compositeCompletion = new CompositeCompletion();
        for (int done = 0; done < count; done += step) {
            int part = Math.min(step, count - done);
            readPartLater(source, first + done, part, target, at + done * width, compositeCompletion.next());
        }
        return compositeCompletion.all();
    }

    private void readPartLater(
            Array source, long first, int count, byte[] target, int at, Consumer<RuntimeException> done) {
        int bytes = count * source.dtype().bytes();
        ByteBuffer buffer = locked(() -> staging.take(bytes));
        boolean isAppended = false;
        try {
            locked(() -> {
                Transfers.Copy copy = transfers.download(source, first, count, buffer);
                whenPast(copy, buffer, done, () -> buffer.get(0, target, at, bytes));
                return null;
            });
            isAppended = true;
        } finally {
            if (!isAppended) {
                releaseStaging(buffer);
            }
        }
    }

    // ---- stamps and fences

    Stamp stamp() {
        return locked(clock::stamp);
    }

    Fence fence() {
        return locked(clock::fence);
    }

    /**
     * Runs {@code use} when the device has finished the copy. Then releases the staging buffer, and reports the failure or success to
     * {@code done}. Called under the lock.
     */
    private void whenPast(Transfers.Copy copy, ByteBuffer buffer, Consumer<RuntimeException> done, Runnable use) {
        waiters.get(copy.queue()).add(copy.mark(), failure -> {
            gpu.forget(copy.mark());
            if (failure == null) {
                use.run();
            }
            releaseStaging(buffer);
            done.accept(failure);
        });
    }

    /** Waits for a mark on a waiter thread. Fails immediately if the device has failed permanently. */
    private void reach(Gpu.Mark mark) {
        if (brokenBy != null) {
            throw broken();
        }
        guarded(() -> {
            gpu.reach(mark);
            return null;
        });
    }

    /** Waits for a mark without holding the lock. */
    private void await(Gpu.Mark mark) {
        guarded(() -> {
            gpu.await(mark);
            return null;
        });
    }

    /** Waits for a mark within a kernel. Releases the lock meanwhile, so that other threads use the device. */
    private void awaitUnlocked(Gpu.Mark mark) {
        Collection<DeviceAllocation> blocks = inUse;
        inUse = null;
        lock.unlock();
        try {
            gpu.await(mark);
        } finally {
            lock.lock();
        }
        requireUsable();
        // The rest of the kernel's work must follow work that other threads have appended meanwhile.
        inUse = blocks;
        dependencies.use(blocks);
    }

    private void releaseStaging(ByteBuffer buffer) {
        lock.lock();
        try {
            staging.release(buffer);
        } finally {
            lock.unlock();
        }
    }

    // ---- the lock

    /**
     * Runs work under the lock. If a kernel has to be compiled first, or unused memory has to be returned to the
     * device, this is done without the lock, and then the work starts again. The work may be repeated, because it
     * changes only its results.
     */
    private <T> T locked(Supplier<T> work) {
        boolean hasMadeRoom = false;
        while (true) {
            try {
                return lockedNow(work);
            } catch (MemoryPool.FullException full) {
                if (lock.isHeldByCurrentThread()) {
                    throw full;
                }
                if (hasMadeRoom) {
                    throw full.refusal();
                }
                hasMadeRoom = true;
                evict();
            } catch (KernelCache.MissingException missing) {
                if (lock.isHeldByCurrentThread()) {
                    // This thread held the lock before, so its outer caller starts again.
                    throw missing;
                }
                kernels.compile(missing.source());
            }
        }
    }

    /** Returns unused memory to the device. The device has to finish its work first. */
    private void evict() {
        List<DeviceAllocation> unused = lockedNow(() -> {
            graphs.clear();
            return pool.takeUnused();
        });
        release(unused);
    }

    private void release(List<DeviceAllocation> unused) {
        guarded(() -> {
            unused.forEach(allocation -> gpu.release(allocation.address()));
            return null;
        });
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
            throw broken();
        }
    }

    private OutpostException broken() {
        return new OutpostException(FaultKind.EXTERNAL, "the machine's device failed: " + brokenBy);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        // The waiters' actions may release memory.
        waiters.values().forEach(QueueWaiter::close);
        lock.lock();
        try {
            if (brokenBy == null) {
                staging.close();
                clock.close();
                dependencies.close();
                graphs.clear();
                launcher.close();
                release(pool.takeUnused());
                multiplier.close();
            }
            gpu.close();
        } finally {
            lock.unlock();
        }
    }
}
