package dev.outpost.runtime.engine;

import java.time.Duration;

/** Exchanges between the devices of several machines that bypass their hosts. Thread-safe. */
public interface DeviceCollectives {
    /**
     * Returns the name and version of the library and its algorithm. Members use these exchanges only if all of them
     * return the same text.
     */
    String library();

    /** Returns the unique name of the device. */
    String device();

    /**
     * Returns a new id by which the members of a group find each other. The first member draws it.
     *
     * @param key a secret of the group that seals the id
     */
    byte[] drawId(String key);

    /**
     * Reserves the device for one group. Two groups that share devices could deadlock, because each device may begin their exchanges in
     * another order.
     *
     * @return true if no other group uses the device
     */
    boolean take();

    /** Releases the device. Called when the group no longer needs it. */
    void release();

    /**
     * Joins the other members of a group, and waits for them.
     *
     * @param id the id that the first member has drawn
     * @param size the number of members
     * @param rank the number of this member
     * @param timeout the longest wait for the others, now and at the start of each exchange
     * @throws MissingMembersException if some members have not joined in time
     */
    DeviceCommunicator join(byte[] id, String key, int size, int rank, Duration timeout);
}
