package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The methods that all families of kernels share: launches, scratch memory, and the reports of refused values. Used
 * under the engine's lock.
 */
public final class CudaLauncher {
    /** The content of a kernel's word before the kernel runs, and afterwards if it has refused no value. */
    public static final long NOTHING = -1;

    public static final int THREADS = 256;

    private final Gpu gpu;
    private final MemoryPool pool;
    private final KernelCache kernels;
    private final Staging staging;
    private final Consumer<Gpu.Mark> wait;
    private final GraphExchanges exchanges;
    private DeviceAllocation refusal;
    /** The memory of the graph that is captured; null if kernels are appended to the queue. */
    private GraphMemory graphMemory;

    private boolean hasKnownIndices;

    /** @param wait waits for a mark, and releases the engine's lock meanwhile */
    public CudaLauncher(Gpu gpu, MemoryPool pool, KernelCache kernels, Staging staging, Consumer<Gpu.Mark> wait) {
        this.gpu = gpu;
        this.pool = pool;
        this.kernels = kernels;
        this.staging = staging;
        this.wait = wait;
        this.exchanges = new GraphExchanges(gpu);
    }

    public Gpu gpu() {
        return gpu;
    }

    /** Launches a kernel with one thread for each item, in blocks of the usual size. */
    public void run(CudaSource source, String kernel, long things, KernelArguments arguments) {
        runBlocks(source, kernel, (things + THREADS - 1) / THREADS, THREADS, arguments);
    }

    public void runBlocks(CudaSource source, String kernel, long blocks, int threads, KernelArguments arguments) {
        if (blocks > 0) {
            gpu.launch(kernels.kernel(source, kernel), blocks, threads, arguments.toArray());
        }
    }

    public DeviceAllocation scratch(long bytes) {
        return graphMemory == null ? pool.allocate(bytes, MemoryPool.ENGINE) : graphMemory.scratch(bytes);
    }

    public void release(DeviceAllocation scratch) {
        if (graphMemory == null) {
            pool.release(scratch, MemoryPool.ENGINE);
        } else {
            graphMemory.release(scratch);
        }
    }

    // ---- graphs

    /** Loads all compiled code, since nothing can be loaded while a graph is captured. */
    public void prepare() {
        kernels.loadCompiled();
    }

    /** Appends kernels to the graph that is captured. Their refusals are read after the graph has run. */
    public void within(GraphMemory graphMemory, List<Launch> launches) {
        this.graphMemory = graphMemory;
        kernels.keep(true);
        try {
            for (Launch launch : launches) {
                hasKnownIndices = launch.hasKnownIndices();
                exchanges.before(launch);
                launch.run();
            }
            exchanges.awaitAll();
        } finally {
            exchanges.drop();
            hasKnownIndices = false;
            kernels.keep(false);
            this.graphMemory = null;
        }
    }

    /** Returns true if the current kernel need not check its indices. */
    public boolean hasKnownIndices() {
        return hasKnownIndices;
    }

    /** Returns the exchanges of the graph that is captured. */
    public GraphExchanges exchanges() {
        return exchanges;
    }

    public boolean isWithinGraph() {
        return graphMemory != null;
    }

    /** Returns true if a kernel has written a value other than {@link #NOTHING} to its word. */
    public static boolean hasRefused(ByteBuffer words, int count) {
        for (int word = 0; word < count; word++) {
            if (words.getLong(word * Long.BYTES) != NOTHING) {
                return true;
            }
        }
        return false;
    }

    // ---- refusals

    /** Allocates dense scratch memory for a value. The caller releases it. */
    public Array scratch(DType dtype, Shape shape) {
        DeviceAllocation allocation = scratch(Math.multiplyExact(shape.elements(), dtype.bytes()));
        return Array.contiguous(new CudaBuffer(dtype, shape.elements(), allocation, MemoryPool.ENGINE), shape);
    }

    public void release(Array scratch) {
        release(((CudaBuffer) scratch.buffer()).allocation());
    }

    /**
     * Returns the address of the word in which the next kernel writes the number of the first item that it refuses.
     */
    public long refusal() {
        if (graphMemory != null) {
            return graphMemory.refusal();
        }
        if (refusal == null) {
            refusal = scratch(Long.BYTES);
        }
        gpu.fill(refusal.address(), Long.BYTES, 0xff);
        return refusal.address();
    }

    /**
     * Waits for the launched kernel and returns the number of the first item that it refused. While a graph is
     * captured, returns {@link #NOTHING}: the words are read after the whole graph has run. Releases the lock
     * meanwhile, like {@link #readLong}.
     */
    public long refused() {
        return graphMemory == null ? readLong(refusal.address()) : NOTHING;
    }

    /** Releases the memory that this launcher keeps between launches. */
    public void close() {
        if (refusal != null) {
            release(refusal);
            refusal = null;
        }
    }

    /** Waits until the word is computed, and reads it. Releases the lock meanwhile, so guarded state may have changed afterwards. */
    public long readLong(long address) {
        return read(address, Long.BYTES, buffer -> buffer.getLong(0));
    }

    private long read(long address, int bytes, ToLongFunction<ByteBuffer> value) {
        ByteBuffer buffer = staging.take(Long.BYTES);
        try {
            gpu.download(Gpu.Queue.KERNELS, address, buffer, bytes);
            wait.accept(gpu.mark(Gpu.Queue.KERNELS));
            return value.applyAsLong(buffer);
        } finally {
            staging.release(buffer);
        }
    }

    /** Reads an integer of any dtype, like {@link #readLong}. */
    public long readInteger(Array array, long position) {
        CudaBuffer buffer = (CudaBuffer) array.buffer();
        DType dtype = buffer.dtype();
        return read(buffer.address(position), dtype.bytes(), byteBuffer -> integer(dtype, byteBuffer));
    }

    private static long integer(DType dtype, ByteBuffer buffer) {
        return switch (dtype) {
            case INT64 -> buffer.getLong(0);
            case INT32 -> buffer.getInt(0);
            case INT16 -> buffer.getShort(0);
            case INT8 -> buffer.get(0);
            case UINT8, BOOL -> buffer.get(0) & 0xff;
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> throw new IllegalStateException(dtype + " is no integer");
        };
    }

    /** Returns the address of a value's first element. */
    public static long address(Array array) {
        return ((CudaBuffer) array.buffer()).address(array.layout().offset());
    }
}
