package dev.outpost.client.program;

import dev.outpost.client.numbers.LiveScalar;
import dev.outpost.client.record.HandleSource;
import dev.outpost.client.record.RecordingOwner;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.client.waits.PendingUpdates;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.Op;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Records the operations of tensors: instructions, writes, reads, calls of programs. Only the implementation knows whether the values are
 * on a machine or in a program that is being traced.
 *
 * <p>Operands are storages. A storage's value is looked up while the recorder's lock is held. If another thread writes or closes the
 * storage at the same time, the operand is the value before or after that, or the call is refused.
 */
public interface Recorder extends RecordingOwner, HandleSource {
    /** Returns the recorder of the machine, or the group, whose value a handle holds. */
    static Recorder of(ValueHandle handle) {
        return (Recorder) handle.owner();
    }

    /**
     * Returns the recorder for calls of this thread: this recorder, or the recorder of the program that the thread
     * traces.
     */
    Recorder current();

    // ---- instructions

    /**
     * Records one instruction. Does not wait for the machine, except when too many messages are in flight.
     *
     * @param operands scalars, {@link LiveScalar}s and {@link StoredOperand}s; the array is overwritten
     * @param types the results' types
     * @param holder makes the holder of a result, such as a {@link Storage}
     * @param holders receives the holders; as long as {@code types}
     */
    <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders);

    /**
     * Records one instruction with one result, like {@link #record}, and binds a storage to the result.
     *
     * @param target a storage of the result's dtype and number of elements; a closed one is an error
     * @param type the result's type
     */
    void recordInto(Storage target, Op op, Object[] operands, TensorType type);

    /**
     * Makes a value of the elements of a source, at most 2 GiB; they have been read when this returns. The caller must make a {@link
     * Storage} for the value.
     */
    RemoteValue upload(TensorType type, ElementSource elements);

    /** Makes a value of elements that the machine reads from a source. The caller must make a {@link Storage} for it. */
    RemoteValue load(Load load);

    /** Seals this thread's segment, if one is open. */
    void endSegment();

    // ---- storages

    /** Returns the value that a storage holds now. Fails if the storage is closed. */
    RemoteValue value(Storage storage);

    /** Makes {@code target} hold the value that {@code source} holds now. */
    void rebind(Storage target, Storage source);

    /** Returns the placement of a storage's value on the machines of a group. Seals the segment that computes it. */
    default Sharding sharding(Storage storage) {
        return Sharding.replicated(1);
    }

    // ---- programs

    /** Begins to trace a program. */
    ProgramRecorder trace(TraceStart start);

    /** Runs a program once. */
    ProgramCalled run(ProgramRun run);

    /** Runs a program as the scan that {@link #scan(TensorType[], long)} created for this run. */
    ProgramCalled run(ProgramRun run, RemoteScan scan);

    /** Makes a scan of at most {@code max} runs; each run emits values of these types. */
    RemoteScan scan(TensorType[] emitted, long max);

    /** Tells the machine that it need not keep the program. */
    void drop(RemoteProgram program);

    // ---- reading

    /**
     * Asks for the elements that a storage holds now, seen in a layout, row-major and little-endian. The sink gets them as they arrive,
     * from one thread at a time. Seals this thread's segment. Waits only if too many answers are pending already.
     *
     * @param isPeek true if a failure of this fetch does not count as reported to the program, as for a print: a later read or close throws
     *     it
     */
    CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek);

    /**
     * Returns the elements of the storage's current value from an earlier read in the same layout, which may not be
     * complete yet. Returns null if no earlier read fetched them. The caller must not change the array. Ends this
     * thread's segment unless it returns null. Does not wait.
     */
    CompletableFuture<byte[]> readBefore(StoredOperand operand);

    /**
     * Returns the elements of a large operand that a print shows, if {@link #keepShown} has kept them and the value has not changed since;
     * else null. The caller must not change the array. Does not wait.
     */
    byte[] shownBefore(StoredOperand operand);

    /**
     * Keeps the elements of a large operand that a print shows.
     *
     * @param elements must not be changed from now on
     */
    void keepShown(StoredOperand operand, byte[] elements);

    /** Asks how the value of a storage was, or will be, computed; empty if the machine does not remember. Waits for the answer. */
    Optional<Explanation> explain(Storage storage);

    /**
     * Asks how the latest run of a program was computed; empty if the machine no longer keeps the program. Waits for
     * the answer.
     */
    Optional<Explanation> explain(RemoteProgram program);

    /** Asks the machine about its sources. Waits for the whole answer. */
    byte[] ask(SourceQuestion question);

    /**
     * Makes the machine write the values that storages hold now, seen in layouts, as a model. Waits only until the machine is ready.
     *
     * @return the machine's answer, which arrives when everything is written
     */
    CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem);

    /** Waits until all recorded instructions have been executed. Throws the failures that the program has not received. */
    void drain();

    /** Returns the waits of the program for answers. */
    BlockingWaits waits();

    /**
     * Returns a new number for an update that happens completely or not at all. The number identifies the update in
     * questions.
     */
    long nextUpdate();

    /** Returns the current machine's reports of such updates. */
    PendingUpdates updates();

    // ---- randomness

    /**
     * Consumes a draw of the random stream. In a program, each run continues from the stream's position at that time.
     */
    long takeDraw();
}
