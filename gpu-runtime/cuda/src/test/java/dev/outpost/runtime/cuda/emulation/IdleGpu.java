package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.Gpu;
import java.nio.ByteBuffer;

/** A GPU that does nothing and refuses nothing, for tests of the calls. */
public final class IdleGpu implements Gpu {
    private final int architecture;
    private long next = 1 << 20;

    /** A GPU of the oldest supported architecture. */
    public IdleGpu() {
        this(75);
    }

    public IdleGpu(int architecture) {
        this.architecture = architecture;
    }

    private record Done() implements Mark {}

    private record Code() implements DeviceCode {
        @Override
        public DeviceKernel kernel(String name) {
            return new Kernel();
        }

        @Override
        public void unload() {
            // There is nothing to unload.
        }
    }

    private record Nothing() implements Graph {}

    private record Kernel() implements DeviceKernel {}

    @Override
    public String description() {
        return "idle GPU";
    }

    @Override
    public int architecture() {
        return architecture;
    }

    @Override
    public int multiprocessors() {
        return 132;
    }

    @Override
    public long memoryBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public long freeBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public long allocate(long bytes) {
        next += (bytes + 255) / 256 * 256;
        return next;
    }

    @Override
    public void release(long address) {
        // There is nothing to release.
    }

    @Override
    public void fill(long address, long bytes, int value) {
        // There is no memory.
    }

    @Override
    public void copy(long to, long from, long bytes) {
        // There is no memory.
    }

    @Override
    public ByteBuffer hostBuffer(int bytes) {
        return ByteBuffer.allocate(bytes);
    }

    @Override
    public void upload(Queue queue, ByteBuffer from, long to, int bytes) {
        // There is no memory.
    }

    @Override
    public void download(Queue queue, long from, ByteBuffer to, int bytes) {
        for (int index = 0; index < bytes; index++) {
            to.put(index, (byte) 0xff);
        }
    }

    @Override
    public DeviceCode load(byte[] image) {
        return new Code();
    }

    @Override
    public void launch(DeviceKernel kernel, long blocks, int threads, long[] arguments) {
        // Nothing is computed.
    }

    @Override
    public Graph capture(Runnable work) {
        work.run();
        return new Nothing();
    }

    @Override
    public void recapture(Graph graph, Runnable work) {
        work.run();
    }

    @Override
    public void launch(Graph graph) {
        // Nothing is computed.
    }

    @Override
    public void drop(Graph graph) {
        // Nothing is kept.
    }

    @Override
    public Mark mark(Queue queue) {
        return new Done();
    }

    @Override
    public void follow(Queue queue, Mark mark) {
        // All work is done.
    }

    @Override
    public void forget(Mark mark) {
        // There is nothing to release.
    }

    @Override
    public void reach(Mark mark) {
        // All work is done.
    }

    @Override
    public long nanos(Mark from, Mark to) {
        return 0;
    }

    @Override
    public void close() {
        // There is nothing to release.
    }
}
