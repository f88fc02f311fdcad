package dev.outpost.runtime.engine;

import java.time.Duration;

/** Exchanges between the devices of several machines that do not lead over their hosts. Thread-safe. */
public interface DeviceCollectives {
    /** The library, its version and its algorithm, for people. Members exchange by it only where all have the same. */
    String library();

    /** A name of the device that no other device has. */
    String device();

    /**
     * A new id by which the members of a group find each other. The first member draws it.
     *
     * @param key a secret of the group, by which the id is sealed
     */
    byte[] drawId(String key);

    /**
     * Takes the device for one group. Two groups that have the same devices would wait for each other, where their exchanges begin in
     * another order on another device.
     *
     * @return whether no other group has it
     */
    boolean take();

    /** The group that has the device needs it no more. */
    void release();

    /**
     * Joins the other members of a group; waits for them.
     *
     * @param id as the first member has drawn it
     * @param size how many members there are
     * @param rank which one this is
     * @param timeout how long it waits for the others, now and when an exchange starts
     * @throws MissingMembersException where they have not all come by then
     */
    DeviceCommunicator join(byte[] id, String key, int size, int rank, Duration timeout);
}
