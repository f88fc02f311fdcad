package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.code.Source;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** What all families of kernels need of the device: launches, scratch memory, and what refusing kernels say. Under the engine's lock. */
final class Launcher {
    /** What a refusing kernel finds, and leaves where it refuses nothing. */
    static final long NOTHING = -1;

    static final int THREADS = 256;

    private final Gpu gpu;
    private final MemoryPool pool;
    private final KernelCache kernels;
    private final ByteBuffer word;
    private Block refusal;
    /** Of the graph that is captured; null where kernels are appended. */
    private UnitMemory unit;

    Launcher(Gpu gpu, MemoryPool pool, KernelCache kernels) {
        this.gpu = gpu;
        this.pool = pool;
        this.kernels = kernels;
        word = gpu.hostBuffer(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    Gpu gpu() {
        return gpu;
    }

    /** A thread for each of so many things, in blocks of the usual size. */
    void run(Source source, String kernel, long things, Arguments arguments) {
        runBlocks(source, kernel, (things + THREADS - 1) / THREADS, THREADS, arguments);
    }

    void runBlocks(Source source, String kernel, long blocks, int threads, Arguments arguments) {
        if (blocks > 0) {
            gpu.launch(kernels.kernel(source, kernel), blocks, threads, arguments.toArray());
        }
    }

    Block scratch(long bytes) {
        return unit == null ? pool.allocate(bytes, MemoryPool.ENGINE) : unit.scratch(bytes);
    }

    void release(Block scratch) {
        if (unit == null) {
            pool.release(scratch, MemoryPool.ENGINE);
        } else {
            unit.release(scratch);
        }
    }

    // ---- graphs

    /** Loads what was compiled since, for nothing can be while a graph is captured. */
    void prepare() {
        kernels.loadCompiled();
    }

    /** Appends kernels to the graph that is captured; what they refuse is not waited for. */
    void within(UnitMemory memory, List<Launch> launches) {
        unit = memory;
        kernels.keep(true);
        try {
            launches.forEach(Launch::run);
        } finally {
            kernels.keep(false);
            unit = null;
        }
    }

    boolean isWithinGraph() {
        return unit != null;
    }

    /** Whether a kernel has left anything but {@link #NOTHING} in its word. */
    static boolean hasRefused(ByteBuffer words, int count) {
        for (int word = 0; word < count; word++) {
            if (words.getLong(word * Long.BYTES) != NOTHING) {
                return true;
            }
        }
        return false;
    }

    // ---- refusals

    /** Dense memory of the engine's own for a value; to be given back. */
    Array scratch(DType dtype, Shape shape) {
        Block block = scratch(Math.multiplyExact(shape.elements(), dtype.bytes()));
        return Array.contiguous(new CudaBuffer(dtype, shape.elements(), block, MemoryPool.ENGINE), shape);
    }

    void release(Array scratch) {
        release(((CudaBuffer) scratch.buffer()).block());
    }

    /** Where the next kernel leaves the number of the first thing that it refuses. */
    long refusal() {
        if (unit != null) {
            return unit.refusal();
        }
        if (refusal == null) {
            refusal = scratch(Long.BYTES);
        }
        gpu.fill(refusal.address(), Long.BYTES, 0xff);
        return refusal.address();
    }

    /** Waits for what was launched and asks what it refused; of a graph that is asked when all of it has run. */
    long refused() {
        return unit == null ? readLong(refusal.address()) : NOTHING;
    }

    /** Gives back what it holds between launches. */
    void close() {
        if (refusal != null) {
            release(refusal);
            refusal = null;
        }
    }

    long readLong(long address) {
        gpu.download(Gpu.Queue.KERNELS, address, word, Long.BYTES);
        gpu.await(gpu.mark(Gpu.Queue.KERNELS));
        return word.getLong(0);
    }

    /** An integer of any dtype. */
    long readInteger(Array array, long position) {
        CudaBuffer buffer = (CudaBuffer) array.buffer();
        word.putLong(0, 0);
        gpu.download(
                Gpu.Queue.KERNELS,
                buffer.address(position),
                word,
                buffer.dtype().bytes());
        gpu.await(gpu.mark(Gpu.Queue.KERNELS));
        return switch (buffer.dtype()) {
            case INT64 -> word.getLong(0);
            case INT32 -> word.getInt(0);
            case INT16 -> word.getShort(0);
            case INT8 -> word.get(0);
            case UINT8, BOOL -> word.get(0) & 0xff;
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 ->
                throw new IllegalStateException(buffer.dtype() + " is no integer");
        };
    }

    /** Where a value's first element is. */
    static long address(Array array) {
        return ((CudaBuffer) array.buffer()).address(array.layout().offset());
    }
}
