package dev.outpost.client.session;

import dev.outpost.client.program.Recorder;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.MachineLostException;

/** A recorder for one machine or for a group of machines, with their start and end. */
public interface MachineRecorder extends Recorder {
    /** Starts another machine in place of a lost one. The values of the lost machine are lost. Called by one thread at a time. */
    void restart();

    /** Returns the counters so far; does not wait. */
    MachineStats stats();

    /** Returns the number of values that the program has not released yet: 0 if all tensors are closed. */
    long heldValues();

    /** Returns true if it computes no more, for any reason: the machine is lost, or its session has ended in another way. */
    boolean isOver();

    /** Returns true if the machine, and all values on it, are gone. */
    boolean isLost();

    /** Returns true if the machine was released because it was idle for the agreed time. Then another machine can replace it. */
    boolean isLostAsAgreed();

    /** Returns the exception for every caller that still needs a lost machine. */
    MachineLostException loss(String remedy);

    /**
     * Returns the bytes that this client's values may take on the machine; {@code Long.MAX_VALUE} until the machine has sent the number.
     */
    long quotaBytes();

    /** Returns the time that the machine took to start, or has taken so far. */
    Provisioning provisioning();

    /** Waits until the machine is ready. */
    void awaitReady();

    /** Returns the device that the machine computes on, or null before the machine is ready. */
    String device();

    /** Releases the machine. Throws failures that the program has not seen: faults on the machine, or the reason why it never started. */
    void close();
}
