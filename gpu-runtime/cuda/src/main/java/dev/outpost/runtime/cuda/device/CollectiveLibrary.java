package dev.outpost.runtime.cuda.device;

import dev.outpost.types.DType;
import java.time.Duration;

/** A library of exchanges between GPUs. Thread-safe. */
public interface CollectiveLibrary {
    /** Returns the name, version and algorithm, such as {@code NCCL 2.26.2 (Ring, Simple)}. */
    String name();

    /** Returns a name of this process's GPU that no other GPU has. */
    String device();

    /**
     * Returns a new id by which the members of a communicator find each other.
     *
     * @param key the secret that seals the id
     */
    byte[] drawId(String key);

    /**
     * Joins the members with that id, and waits for them.
     *
     * @param timeout the longest wait, here and in each call of the communicator
     * @throws dev.outpost.runtime.engine.MissingMembersException if some members have not joined in time
     */
    Communicator join(byte[] id, String key, int size, int rank, Duration timeout);

    /** Returns true if exchanges may be captured in graphs. */
    boolean isCaptured();

    /** Returns true if the library can exchange elements of the dtype. */
    boolean takes(DType dtype);

    /**
     * One member's side. Calls append to the GPU's queue of exchanges and are made by one thread at a time. Addresses are in the GPU's
     * memory.
     */
    interface Communicator extends AutoCloseable {
        void allReduce(long from, long to, long elements, DType dtype);

        /** @param elements the number of elements of each member */
        void allGather(long from, long to, long elements, DType dtype);

        /** @param elements the number of elements of each member's result */
        void reduceScatter(long from, long to, long elements, DType dtype);

        /** Sends elements to another member, which receives the same number. */
        void send(long from, long elements, DType dtype, int member);

        /** Receives elements from a member that calls {@link #send}. */
        void receive(long to, long elements, DType dtype, int member);

        /**
         * Appends all sends and receives of the body as one operation. Their order does not matter, and this member may be among the
         * partners.
         */
        void grouped(Runnable body);

        /**
         * Aborts exchanges that are under way, without a result. Any thread may call this at any time; nothing else is called afterwards.
         */
        void abort();

        @Override
        void close();
    }
}
