package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.Layout;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kernels that run on the host's processor instead of the GPU. Operands are copied to the host, which waits for them,
 * and results are copied back. Other sessions can use the GPU meanwhile.
 */
final class HostKernels implements AutoCloseable {
    /** The number of elements that are copied at once. */
    private static final int PIECE = 1 << 23;

    private final ReentrantLock lock = new ReentrantLock();
    private final Engine gpu;
    private Engine host;

    HostKernels(Engine gpu) {
        this.gpu = gpu;
    }

    GeneratedKernel kernel(Instruction instruction) {
        Engine processor = host();
        Kernel kernel = processor.compile(instruction);
        return new ListedKernel(
                (op, in, out) -> {
                    Array[] operands = new Array[in.length];
                    Array[] results = new Array[out.length];
                    try {
                        Arrays.setAll(operands, place -> fetched(in[place], processor));
                        Arrays.setAll(
                                results,
                                place -> Array.contiguous(
                                        processor.allocate(
                                                out[place].dtype(),
                                                out[place].shape().elements()),
                                        out[place].shape()));
                        kernel.run(op, operands, results);
                        for (int place = 0; place < out.length; place++) {
                            bringBack(results[place], out[place], processor);
                        }
                    } finally {
                        release(operands, processor);
                        release(results, processor);
                    }
                },
                () -> "on the host, by " + processor.device() + ": operands are copied there, results back");
    }

    /** Opens the host's engine at its first use. */
    private Engine host() {
        lock.lock();
        try {
            if (host == null) {
                host = new CpuEngine();
            }
            return host;
        } finally {
            lock.unlock();
        }
    }

    /** Copies a value to the host. Elements that strides of 0 repeat are copied once. */
    private Array fetched(Array value, Engine processor) {
        Layout once = value.layout();
        for (int dim = 0; dim < once.rank(); dim++) {
            if (once.stride(dim) == 0 && once.shape().size(dim) > 1) {
                once = once.slice(dim, 0, 1, 1);
            }
        }
        Array source = new Array(value.buffer(), once);
        long elements = source.shape().elements();
        EngineBuffer copy = processor.allocate(value.dtype(), elements);
        for (long first = 0; first < elements; first += PIECE) {
            int count = (int) Math.min(PIECE, elements - first);
            processor.write(copy, first, new Slice(gpu.read(source, first, count)));
        }
        return new Array(copy, Layout.contiguous(once.shape()).expand(value.shape()));
    }

    private void bringBack(Array result, Array target, Engine processor) {
        long elements = result.shape().elements();
        for (long first = 0; first < elements; first += PIECE) {
            int count = (int) Math.min(PIECE, elements - first);
            gpu.write(
                    target.buffer(), target.layout().offset() + first, new Slice(processor.read(result, first, count)));
        }
    }

    private static void release(Array[] arrays, Engine processor) {
        for (Array array : arrays) {
            if (array != null) {
                processor.release(array.buffer());
            }
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (host != null) {
                host.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
