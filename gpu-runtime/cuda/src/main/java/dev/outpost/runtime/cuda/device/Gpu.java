package dev.outpost.runtime.cuda.device;

import java.nio.ByteBuffer;

/**
 * A GPU with four queues. All that computes or copies is appended to one of them and returns at once. What is in a queue is done
 * in order, and beside what is in another, unless that one {@link #follow}s a mark. All but transfers goes to the queue of
 * kernels. Failures are {@link dev.outpost.runtime.cuda.library.CudaException}s, but for memory that is
 * not there. Used by one thread at a time, whichever, except for what is said to be any thread's.
 */
public interface Gpu extends AutoCloseable {
    /** For people: {@code NVIDIA H200, compute capability 9.0}. */
    String description();

    /** Its compute capability as NVRTC writes it: 90 for 9.0. */
    int architecture();

    /** How many multiprocessors it has, each of which has some blocks of threads at a time. */
    int multiprocessors();

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

    /** Gives memory back, when all queues are done with what they have: waits for that. Any thread may, beside others that append. */
    void release(long address);

    /** Sets all bytes. */
    void fill(long address, long bytes, int value);

    void copy(long to, long from, long bytes);

    /** Memory of the host that copies can run from and to beside everything else; it stays until the GPU is closed. */
    ByteBuffer hostBuffer(int bytes);

    /** Appends a copy from the beginning of a host buffer, which must not change until it is done. */
    void upload(Queue queue, ByteBuffer from, long to, int bytes);

    /** Appends a copy to the beginning of a host buffer. */
    void download(Queue queue, long from, ByteBuffer to, int bytes);

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
     * The work's launches as a graph; nothing of it is done yet. The work may take memory, but gives none back, loads
     * nothing and waits for nothing. It may append to the queue of exchanges, once that follows a mark of the queue of kernels which the
     * work has set, and then the queue of kernels follows it in the end. Where the work fails there is no graph.
     */
    Graph capture(Runnable work);

    /** Has a graph do what the work appends instead, from its next launch on. Where that fails the graph is what it was. */
    void recapture(Graph graph, Runnable work);

    /** Appends all that a graph does, as one. */
    void launch(Graph graph);

    /** Drops a graph, once the queue is done with it. */
    void drop(Graph graph);

    /** A mark behind what is in a queue. */
    Mark mark(Queue queue);

    /** Work that is appended to a queue from now on is done when another one has come past a mark. */
    void follow(Queue queue, Mark mark);

    /** Forgets a mark; work that follows it still does. Any thread may, beside others that append. */
    void forget(Mark mark);

    /** Waits until a queue has come past a mark. Any thread may, beside others that append. */
    void reach(Mark mark);

    /** As {@link #reach}, and forgets the mark. */
    default void await(Mark mark) {
        reach(mark);
        forget(mark);
    }

    /**
     * The nanoseconds between the moments when the queue of kernels came past two marks, which it has. Exact for short times: the
     * error is half a microsecond and a ten-millionth. Any thread may ask.
     */
    long nanos(Mark from, Mark to);

    /** Ends the queues; nothing that was made here may be used any more. */
    @Override
    void close();

    /** The queues to which work is appended. */
    enum Queue {
        KERNELS,
        UPLOADS,
        DOWNLOADS,
        /** Of the library of exchanges with other GPUs. */
        EXCHANGES
    }

    /** A place in a queue. */
    interface Mark {}

    /** Loaded code. */
    interface DeviceCode {
        /** A function of it. */
        DeviceKernel kernel(String name);

        /** Drops it, once the queues are done with it. */
        void unload();
    }

    /** Work that is appended as one, again and again. */
    interface Graph {}

    /** A function that many threads execute. */
    interface DeviceKernel {}
}
