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
 * Records what tensors do: instructions, writes, reads, calls of programs. Where the values are, on one machine or in a program that
 * is being traced, is known to its implementations only.
 *
 * <p>Operands are storages. What a storage holds is looked up while the recorder's lock is held, so a storage that another
 * thread writes or closes at the same time counts as it was before or after that, or the call is refused.
 */
public interface Recorder extends RecordingOwner, HandleSource {
    /** The recorder of the machine, or the group, whose value a handle holds. */
    static Recorder of(ValueHandle handle) {
        return (Recorder) handle.owner();
    }

    /** The recorder that calls of this thread go to: this one, or that of the program which the thread traces. */
    Recorder current();

    // ---- instructions

    /**
     * Records one instruction. Does not wait for the machine, except for room when too much is under way.
     *
     * @param operands scalars, {@link LiveScalar}s and {@link StoredOperand}s; the array is written over
     * @param types the results' types
     * @param holder makes of a result what holds it, as a {@link Storage} does
     * @param holders where those go, as many as there are types
     */
    <T> void record(Op op, Object[] operands, TensorType[] types, Function<RemoteValue, T> holder, T[] holders);

    /**
     * Records as {@link #record} one instruction with one result, and binds a storage to the result.
     *
     * @param target a storage of the result's dtype and number of elements; a closed one is an error
     * @param type the result's type
     */
    void recordInto(Storage target, Op op, Object[] operands, TensorType type);

    /**
     * Makes a value of the elements that the source gives, at most 2 GiB; they have been read when this returns. A
     * {@link Storage} is to hold the value.
     */
    RemoteValue upload(TensorType type, ElementSource elements);

    /** Makes a value of what the machine reads from a source. A {@link Storage} is to hold it. */
    RemoteValue load(Load load);

    /** Ends this thread's segment, if it has one. */
    void endSegment();

    // ---- storages

    /** The value that a storage holds now; refused where it is closed. */
    RemoteValue value(Storage storage);

    /** Makes one storage hold what another holds now. */
    void rebind(Storage target, Storage source);

    /** How a storage's value is placed on the machines of a group. Ends the segment that computes it. */
    default Sharding sharding(Storage storage) {
        return Sharding.replicated(1);
    }

    // ---- programs

    /** Begins to trace a program. */
    ProgramRecorder trace(TraceStart start);

    /** Has a program run. */
    ProgramCalled run(ProgramRun run);

    /** As {@link #run(ProgramRun)}, for a scan that was {@linkplain #scan made} for it. */
    ProgramCalled run(ProgramRun run, RemoteScan scan);

    /** A scan that emits values of these types in each of at most so many runs. */
    RemoteScan scan(TensorType[] emitted, long max);

    /** The program need not be kept any more. */
    void drop(RemoteProgram program);

    // ---- reading

    /**
     * Asks for the elements that a storage holds now, seen in a layout, row-major and little-endian. They are handed to the sink as
     * they come, by one thread at a time. Ends this thread's segment. Waits only where a thousand answers are awaited already.
     *
     * @param isPeek true if a failure of this fetch does not count as reported to the program, as for a print: a later read or close
     *     throws it
     */
    CompletableFuture<Void> fetch(StoredOperand operand, ElementSink sink, boolean isPeek);

    /**
     * Returns the elements of the storage's current value from an earlier read in the same layout, which may still be under way. Returns
     * null if no earlier read fetched them. The caller must not change the array. Ends this thread's segment unless it returns null. Does
     * not wait.
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

    /** Asks how the value of a storage was, or will be, computed; nothing where the machine does not remember. Waits. */
    Optional<Explanation> explain(Storage storage);

    /** Asks how the latest run of a program was computed; nothing where the machine does not keep it any more. Waits. */
    Optional<Explanation> explain(RemoteProgram program);

    /** Asks the machine about its sources; the answer is whole when this returns. Waits. */
    byte[] ask(SourceQuestion question);

    /**
     * Has the machine write what storages hold now, seen in layouts, as a model. Waits until the machine is there and no longer.
     *
     * @return the machine's answer, when all is written
     */
    CompletableFuture<byte[]> save(
            String uri,
            SequencedMap<String, StoredOperand> tensors,
            SequencedMap<String, byte[]> files,
            long shardBytes,
            String stem);

    /** Waits until all that was recorded has been executed; throws the failures that the program has not been told of. */
    void drain();

    /** Where the program waits for answers. */
    BlockingWaits waits();

    /** A number for another update that happens whole or not at all, by which it is asked for. */
    long nextUpdate();

    /** The current machine's reports of such updates. */
    PendingUpdates updates();

    // ---- randomness

    /** Takes a draw out of the random stream. In a program each run draws on from where the stream is then. */
    long takeDraw();
}
