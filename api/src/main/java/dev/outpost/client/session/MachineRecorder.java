package dev.outpost.client.session;

import dev.outpost.client.program.Recorder;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.MachineLostException;

/** A recorder of something that computes, and has a life: one machine, or a group of them. */
public interface MachineRecorder extends Recorder {
    /** Starts another in place of one that is lost. Values of that are lost. Called by one thread at a time. */
    void restart();

    /** The counters so far; does not wait. */
    MachineStats stats();

    /** Ids of values that the program has not given up yet: 0 when all tensors are closed. */
    long heldValues();

    /** Whether it computes no more, whoever ended it and why: it is lost, or its session has ended in another way. */
    boolean isOver();

    /** Whether the machine, and all values on it, are gone. */
    boolean isLost();

    /** Whether it was lost because nobody used it for as long as had been agreed: then another is as good. */
    boolean isLostAsAgreed();

    /** The exception for every caller that still wants something of a lost machine. */
    MachineLostException loss(String remedy);

    /**
     * Returns the bytes that this client's values may take on the machine; {@code Long.MAX_VALUE} until the machine has sent the number.
     */
    long quotaBytes();

    /** How long the machine took to come, or has taken so far. */
    Provisioning provisioning();

    /** Waits until the machine is there. */
    void awaitReady();

    /** The device that the machine computes on, or null before it is there. */
    String device();

    /** Gives the machine back; throws what nobody looked at: faults on the machine, or why it never came. */
    void close();
}
