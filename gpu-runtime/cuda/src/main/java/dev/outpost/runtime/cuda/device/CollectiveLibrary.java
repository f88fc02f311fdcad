package dev.outpost.runtime.cuda.device;

import dev.outpost.types.DType;
import java.time.Duration;

/** A library of exchanges between GPUs. Thread-safe. */
public interface CollectiveLibrary {
    /** Its name, version and algorithm: {@code NCCL 2.26.2 (Ring, Simple)}. */
    String name();

    /** A name of this process's GPU that no other one has. */
    String device();

    /**
     * A new id by which the members of a communicator find each other.
     *
     * @param key by which it is sealed
     */
    byte[] drawId(String key);

    /**
     * Joins the members with that id; waits for them.
     *
     * @param timeout how long it waits, here and in each call of the communicator
     * @throws dev.outpost.runtime.engine.MissingMembersException where they have not all come by then
     */
    Communicator join(byte[] id, String key, int size, int rank, Duration timeout);

    /** Whether exchanges may be captured in graphs. */
    boolean isCaptured();

    /** Whether elements of a dtype can be exchanged. */
    boolean takes(DType dtype);

    /** One member's side. Calls append to the GPU's queue of exchanges, by one thread at a time; addresses are of its memory. */
    interface Communicator extends AutoCloseable {
        void allReduce(long from, long to, long elements, DType dtype);

        /** @param elements of one member */
        void allGather(long from, long to, long elements, DType dtype);

        /** @param elements of one member's result */
        void reduceScatter(long from, long to, long elements, DType dtype);

        /** Hands elements to another member, which receives as many. */
        void send(long from, long elements, DType dtype, int member);

        /** The counterpart of {@link #send}. */
        void receive(long to, long elements, DType dtype, int member);

        /** Appends all that the body sends and receives as one operation. Members may come in any order, this one among them. */
        void grouped(Runnable body);

        /** What is under way ends without a result. Any thread, at any time; nothing else is called afterwards. */
        void abort();

        @Override
        void close();
    }
}
