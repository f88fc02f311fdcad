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
 * The means that all families of kernels need: launches, scratch memory, and the reports of refusing kernels. Under the
 * engine's lock.
 */
public final class CudaLauncher {
    /** The word of a refusing kernel before it runs, and after it where it refuses nothing. */
    public static final long NOTHING = -1;

    public static final int THREADS = 256;

    private final Gpu gpu;
    private final MemoryPool pool;
    private final KernelCache kernels;
    private final Staging staging;
    private final Consumer<Gpu.Mark> wait;
    private final GraphExchanges exchanges;
    private DeviceAllocation refusal;
    /** Of the graph that is captured; null where kernels are appended. */
    private GraphMemory graphMemory;

    private boolean hasKnownIndices;

    /** @param wait waits for a mark, and lets go of the engine's lock meanwhile */
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

    /** A thread for each of so many things, in blocks of the usual size. */
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

    /** Loads what was compiled since, for nothing can be while a graph is captured. */
    public void prepare() {
        kernels.loadCompiled();
    }

    /** Appends kernels to the graph that is captured; what they refuse is not waited for. */
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

    /** Whether the kernel at hand need not look at its indices. */
    public boolean hasKnownIndices() {
        return hasKnownIndices;
    }

    /** The exchanges of the graph that is captured. */
    public GraphExchanges exchanges() {
        return exchanges;
    }

    public boolean isWithinGraph() {
        return graphMemory != null;
    }

    /** Whether a kernel has left anything but {@link #NOTHING} in its word. */
    public static boolean hasRefused(ByteBuffer words, int count) {
        for (int word = 0; word < count; word++) {
            if (words.getLong(word * Long.BYTES) != NOTHING) {
                return true;
            }
        }
        return false;
    }

    // ---- refusals

    /** Dense memory of the engine's own for a value; to be given back. */
    public Array scratch(DType dtype, Shape shape) {
        DeviceAllocation allocation = scratch(Math.multiplyExact(shape.elements(), dtype.bytes()));
        return Array.contiguous(new CudaBuffer(dtype, shape.elements(), allocation, MemoryPool.ENGINE), shape);
    }

    public void release(Array scratch) {
        release(((CudaBuffer) scratch.buffer()).allocation());
    }

    /** Where the next kernel leaves the number of the first thing that it refuses. */
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
     * Waits for what was launched and asks what it refused; of a graph that is asked when all of it has run. Others use the device
     * meanwhile, as with {@link #readLong}.
     */
    public long refused() {
        return graphMemory == null ? readLong(refusal.address()) : NOTHING;
    }

    /** Gives back what it holds between launches. */
    public void close() {
        if (refusal != null) {
            release(refusal);
            refusal = null;
        }
    }

    /** Waits until it is computed. The lock is let go of meanwhile, so what it guards may be otherwise afterwards. */
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

    /** An integer of any dtype, as {@link #readLong}. */
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

    /** Where a value's first element is. */
    public static long address(Array array) {
        return ((CudaBuffer) array.buffer()).address(array.layout().offset());
    }
}
