package dev.outpost.runtime.cuda.device;

import java.nio.ByteBuffer;

/**
 * A GPU with four queues. Computations and copies are appended to one of them, and the call returns immediately. The work of a queue is
 * executed in order. The queues run concurrently, unless one {@link #follow}s a mark of another. All work except transfers and exchanges is
 * appended to the queue of kernels. Failures are {@link dev.outpost.runtime.cuda.library.CudaException}s. Missing memory is an
 * {@link OutOfDeviceMemoryException}. Used by one thread at a time, except for the methods that any thread may call.
 */
public interface Gpu extends AutoCloseable {
    /** Returns a readable description, such as {@code NVIDIA H200, compute capability 9.0}. */
    String description();

    /** Returns the compute capability as NVRTC writes it: 90 for 9.0. */
    int architecture();

    /** Returns the number of multiprocessors, each of which runs some blocks of threads at a time. */
    int multiprocessors();

    /** Returns the size of its memory, in bytes. */
    long memoryBytes();

    /** Returns the size of its free memory, in bytes. */
    long freeBytes();

    /**
     * Allocates memory with undefined content. The address is a multiple of 256.
     *
     * @throws OutOfDeviceMemoryException if there is too little memory
     */
    long allocate(long bytes);

    /** Releases memory. Waits until all queues have finished their current work. Any thread may call this while others append. */
    void release(long address);

    /** Appends work that sets all bytes to a value. */
    void fill(long address, long bytes, int value);

    void copy(long to, long from, long bytes);

    /** Allocates host memory for copies that run concurrently with all other work. It stays until the GPU is closed. */
    ByteBuffer hostBuffer(int bytes);

    /** Appends a copy from the beginning of a host buffer, which must not change until the copy is done. */
    void upload(Queue queue, ByteBuffer from, long to, int bytes);

    /** Appends a copy to the beginning of a host buffer. */
    void download(Queue queue, long from, ByteBuffer to, int bytes);

    /** Loads code for this device. */
    DeviceCode load(byte[] image);

    /**
     * Appends an execution of a kernel.
     *
     * @param kernel a kernel from {@link DeviceCode#kernel}
     * @param blocks the number of blocks, below 2^31
     * @param arguments 8 bytes each
     */
    void launch(DeviceKernel kernel, long blocks, int threads, long[] arguments);

    /**
     * Captures the launches of the work as a graph without executing them. The work may allocate memory, but it must not release memory,
     * load code or wait. It may append to the queue of exchanges once that queue follows a mark that the work has set in the queue of
     * kernels. At the end, the queue of kernels must follow the exchanges. If the work fails, there is no graph.
     */
    Graph capture(Runnable work);

    /** Replaces the content of a graph by the launches of the work, from its next launch on. If this fails, the graph is unchanged. */
    void recapture(Graph graph, Runnable work);

    /** Appends all launches of a graph as one. */
    void launch(Graph graph);

    /** Drops a graph after the queue has finished with it. */
    void drop(Graph graph);

    /** Sets a mark after the current work of a queue. */
    Mark mark(Queue queue);

    /** Makes later work of a queue wait until another queue has passed a mark. */
    void follow(Queue queue, Mark mark);

    /** Releases a mark. Work that was ordered after it keeps its order. Any thread may call this while others append. */
    void forget(Mark mark);

    /** Waits until a queue has passed a mark. Any thread may call this while others append. */
    void reach(Mark mark);

    /** Waits like {@link #reach}, and forgets the mark. */
    default void await(Mark mark) {
        reach(mark);
        forget(mark);
    }

    /**
     * Returns the nanoseconds between two marks that the queue of kernels has passed. It is exact for short times. The error is half a
     * microsecond plus a ten-millionth. Any thread may call this.
     */
    long nanos(Mark from, Mark to);

    /** Closes the queues. Nothing that was created by this GPU may be used afterwards. */
    @Override
    void close();

    /** The queues to which work is appended. */
    enum Queue {
        KERNELS,
        UPLOADS,
        DOWNLOADS,
        /** The queue of the library for exchanges with other GPUs. */
        EXCHANGES
    }

    /** A point in a queue. */
    interface Mark {}

    /** Loaded code. */
    interface DeviceCode {
        /** Returns a function of the code. */
        DeviceKernel kernel(String name);

        /** Unloads the code after the queues have finished with it. */
        void unload();
    }

    /** Work that is appended as one, repeatedly. */
    interface Graph {}

    /** A function that many threads execute. */
    interface DeviceKernel {}
}
