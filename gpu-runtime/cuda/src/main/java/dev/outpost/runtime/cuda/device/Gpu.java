package dev.outpost.runtime.cuda.device;

import java.nio.ByteBuffer;

/**
 * A GPU with one queue. All that computes or copies is appended to the queue and returns at once; memory is taken and given
 * back in the queue's order. Failures are {@link dev.outpost.runtime.cuda.library.CudaException}s, but for memory that is
 * not there. Used by one thread at a time, whichever, except for {@link #await}.
 */
public interface Gpu extends AutoCloseable {
    /** For people: {@code NVIDIA H200, compute capability 9.0}. */
    String description();

    /** All of its memory, in bytes. */
    long memoryBytes();

    /** How much of it nobody has taken. */
    long freeBytes();

    /**
     * Takes memory, of any content; its address is a multiple of 256.
     *
     * @throws OutOfDeviceMemoryException if there is not so much
     */
    long allocate(long bytes);

    void release(long address);

    /** Sets all bytes. */
    void fill(long address, long bytes, int value);

    void copy(long to, long from, long bytes);

    /** Memory of the host that copies can run from and to beside everything else; it stays until the GPU is closed. */
    ByteBuffer hostBuffer(int bytes);

    /** Appends a copy from the beginning of a host buffer, which must not change until it is done. */
    void upload(ByteBuffer from, long to, int bytes);

    /** Appends a copy to the beginning of a host buffer. */
    void download(long from, ByteBuffer to, int bytes);

    /** Loads code for this device. */
    DeviceCode load(byte[] image);

    /**
     * Appends an execution.
     *
     * @param kernel of {@link DeviceCode#kernel}
     * @param blocks below 2^31
     * @param arguments of 8 bytes each
     */
    void launch(DeviceKernel kernel, long blocks, int threads, long[] arguments);

    /**
     * What the work appends, as a graph; nothing of it is done yet. The work may take memory, but gives none back, loads
     * nothing and waits for nothing. Where it fails there is no graph.
     */
    Graph capture(Runnable work);

    /** Has a graph do what the work appends instead, from its next launch on. Where that fails the graph is what it was. */
    void recapture(Graph graph, Runnable work);

    /** Appends all that a graph does, as one. */
    void launch(Graph graph);

    /** Drops a graph, once the queue is done with it. */
    void drop(Graph graph);

    /** A mark behind what is in the queue. */
    Mark mark();

    /** Waits until the queue has come past a mark, which is gone then. Any thread may, beside others that append. */
    void await(Mark mark);

    /** Ends the queue; nothing that was made here may be used any more. */
    @Override
    void close();

    /** A place in the queue. */
    interface Mark {}

    /** Loaded code. */
    interface DeviceCode {
        /** A function of it. */
        DeviceKernel kernel(String name);

        /** Drops it, once the queue is done with it. */
        void unload();
    }

    /** Work that is appended as one, again and again. */
    interface Graph {}

    /** A function that many threads execute. */
    interface DeviceKernel {}
}
