package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.Shape;
import java.time.Duration;
import java.util.Optional;

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
    DeviceExchange prepare(Collective collective, Array operand, EngineBuffer result);

    // ---- units

    /**
     * Exchanges a little by itself and makes the same ready within a unit, as all members do; waits for them. The answer is whether the
     * device has exchanges in units. Before anything else, and then {@link #endTrial} is called.
     *
     * @param size how many members there are
     * @param timeout how long it waits for them
     * @throws MissingMembersException where they do not come by then
     */
    boolean prepareGroups(int size, Duration timeout) throws InterruptedException;

    /**
     * Runs that unit, where all members have prepared theirs; waits for them. From then on {@link #exchanger} is there.
     *
     * @throws MissingMembersException where it does not end in time
     * @throws IllegalStateException where its result is wrong
     */
    void tryGroups() throws InterruptedException;

    /** Gives back what the trial has. */
    void endTrial();

    /**
     * The kernel that exchanges within a unit, by the op of its launch and in place of {@link #prepare}. Its operand is only read by
     * then, and its result is as that of any other kernel. Empty before {@link #tryGroups}.
     */
    Optional<Kernel> exchanger();

    /** A member is gone: exchanges that wait for it fail. */
    void abort();

    /** Ends it. Nothing is under way any more. */
    @Override
    void close();
}
