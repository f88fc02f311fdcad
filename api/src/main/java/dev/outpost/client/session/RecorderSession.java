package dev.outpost.client.session;

import dev.outpost.stats.MachineStats;
import dev.outpost.types.MachineLostException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The session of a machine, or of a group of machines, for which a recorder records. */
public interface RecorderSession {
    /** Returns the session of the machine that answers questions. */
    MachineSession lead();

    /** Waits until the machines are ready. */
    void awaitReady();

    /** Waits while too many messages are in flight. */
    void awaitRoom();

    /**
     * Asks a question about values, and sends the messages that the answer may depend on.
     *
     * @param question records the question
     * @param used the storages and handles whose values the question reads
     */
    <T> CompletableFuture<T> asking(Supplier<CompletableFuture<T>> question, Object... used);

    /** Waits until all sealed segments have been executed. Throws the failures that the program has not received. */
    void drain();

    MachineStats stats();

    long quotaBytes();

    boolean isOver();

    boolean isLost();

    boolean isLostAsAgreed();

    MachineLostException loss(String remedy);

    String device();
}
