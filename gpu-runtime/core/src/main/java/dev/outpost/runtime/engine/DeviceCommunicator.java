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
     * Returns true if this communicator supports an exchange. The answer depends only on the exchange, so all members
     * get the same answer.
     *
     * @param operand the shape of this member's operand; null if it has none
     */
    boolean takes(Collective collective, Shape operand);

    /**
     * Prepares an exchange of the operand's current elements. Does not wait for the other members.
     *
     * @param operand null if this member only receives
     * @param result receives the elements; only the exchange may use it until it is done
     */
    DeviceExchange prepare(Collective collective, Array operand, EngineBuffer result);

    // ---- launch groups

    /**
     * Runs a small exchange by itself and then prepares the same exchange within a launch group. All members call
     * this, and it waits for them. Call it before any other method, and call {@link #endTrial} afterwards.
     *
     * @param size the number of members
     * @param timeout the longest wait for the members
     * @return true if the device supports exchanges in launch groups
     * @throws MissingMembersException if some members do not respond in time
     */
    boolean prepareGroups(int size, Duration timeout) throws InterruptedException;

    /**
     * Runs the prepared launch group after all members have prepared theirs, and waits for them. Afterwards {@link #exchanger} is
     * present.
     *
     * @throws MissingMembersException if the group does not end in time
     * @throws IllegalStateException if the result is wrong
     */
    void tryGroups() throws InterruptedException;

    /** Releases the resources of the trial. */
    void endTrial();

    /**
     * Returns the kernel that performs the exchange of a launch's op within a launch group, in place of {@link #prepare}. The kernel reads
     * its operand when it runs, and writes its result like any other kernel. Empty before {@link #tryGroups}.
     */
    Optional<Kernel> exchanger();

    /** Fails all exchanges that wait for other members, because a member is lost. */
    void abort();

    /** Closes the communicator. No exchange may be under way. */
    @Override
    void close();
}
