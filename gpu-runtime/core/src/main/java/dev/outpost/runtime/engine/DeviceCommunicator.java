package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Buffer;
import dev.outpost.types.Shape;

/** One member's side of the exchanges between devices. Thread-safe. */
public interface DeviceCommunicator extends AutoCloseable {
    /**
     * Whether it takes an exchange. The answer follows from what is exchanged alone, so it is the same on all members that take part.
     *
     * @param operand the shape of what this member gives; null where it gives nothing
     */
    boolean takes(Collective collective, Shape operand);

    /**
     * Makes an exchange ready: takes the operand's elements of this moment. Does not wait for the other members.
     *
     * @param operand null where the member receives
     * @param result for the result's elements; nobody else uses it until the exchange is done
     */
    DeviceExchange prepare(Collective collective, Array operand, Buffer result);

    /** A member is gone: exchanges that wait for it fail. */
    void abort();

    /** Ends it. Nothing is under way any more. */
    @Override
    void close();
}
