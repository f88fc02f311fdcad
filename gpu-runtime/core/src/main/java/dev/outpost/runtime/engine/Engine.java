package dev.outpost.runtime.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Optional;

/**
 * An engine owns its device's memory and turns instructions into kernels; sessions, plans,
 * liveness, quotas and faults are the caller's. All methods may be called from many threads.
 */
public interface Engine extends AutoCloseable {
    /** A short name: {@code reference}, {@code cpu}, {@code cuda}. */
    String name();

    /** The device that it computes on, for people: {@code cpu, 2 threads, OpenBLAS}. */
    String device();

    /**
     * Memory for that many elements, of undefined content. A {@code OutpostException} of kind resources says what was
     * asked when the device has no room.
     */
    EngineBuffer allocate(DType dtype, long elements);

    /**
     * As {@link #allocate(DType, long)}, for one of several owners. An engine whose kernels are less safe than Java, such as
     * those of a GPU, wipes what another owner had before.
     *
     * @param owner a number above 0
     */
    default EngineBuffer allocate(DType dtype, long elements, long owner) {
        return allocate(dtype, elements);
    }

    /** The use of memory that is allocated once. */
    long NO_USE = 0;

    /**
     * As {@link #allocate(DType, long, long)}. An engine whose units run faster where all lies where it lay gives the memory that was
     * given for the same use before, where that is free.
     *
     * @param use a number that is the same again and again; {@link #NO_USE} where there is none
     */
    default EngineBuffer allocate(DType dtype, long elements, long owner, long use) {
        return allocate(dtype, elements, owner);
    }

    /** How many bytes of values its device holds, roughly. */
    default long memoryBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /**
     * How many of so many bytes it could hand out now: all of them, as far as it can say before it is asked. For more than it holds
     * unused, the device itself is asked.
     */
    default long available(long bytes) {
        return bytes;
    }

    /** Why it will never compute again, such as a device that is gone; empty as long as it may. */
    default Optional<String> brokenBy() {
        return Optional.empty();
    }

    /** The most elements that a value can have, views included. */
    default long mostElements() {
        return Long.MAX_VALUE;
    }

    /** Takes memory back; nobody uses it any more. */
    void release(EngineBuffer buffer);

    /** Frees released memory of the host that the engine keeps for later allocations. Thread-safe; running work goes on. */
    default void freeUnused() {}

    /**
     * The code of one instruction. It may depend on the op's structural attributes and the operands' types, never on
     * data attributes, which {@link Kernel#run} is handed anew each time. Never called for a {@code Placement}.
     */
    Kernel compile(Instruction instruction);

    /** Whether it has code for a {@link FusedMap}. */
    default boolean fuses() {
        return false;
    }

    /**
     * The code of several elementwise instructions, where {@link #fuses}. It is handed what the map says, and computes
     * the very bits that the instructions would one by one. Where one of them refuses a value, it fails as a whole.
     */
    default GeneratedKernel compile(FusedMap map) {
        throw new UnsupportedOperationException(name() + " computes one instruction at a time");
    }

    /** Whether it has code for an instruction as a part of {@link FusedRows}. */
    default boolean fusesInRows(Instruction instruction) {
        return false;
    }

    /** As {@link #compile(FusedMap)}, for instructions each of which {@link #fusesInRows}. */
    default GeneratedKernel compile(FusedRows rows) {
        throw new UnsupportedOperationException(name() + " computes no rows");
    }

    /**
     * Whether values may be left to be computed later. An engine that {@link #unites} keeps to storing them: what a unit
     * gives back is gone when it has run.
     */
    default boolean keepsRematerializations() {
        return false;
    }

    /**
     * Whether the kernel of an instruction may run in a unit: it appends to a queue and waits for nothing. Where one says yes,
     * {@link #part} and {@link #run} are asked for.
     */
    default boolean unites(Instruction instruction) {
        return false;
    }

    /** Some of the bytes of a buffer as elements. It lives as long as the whole, and is not released by itself. */
    default EngineBuffer part(EngineBuffer whole, long firstByte, DType dtype, long elements) {
        throw new UnsupportedOperationException(name() + " has no parts of buffers");
    }

    /**
     * Runs kernels one after another, each of an instruction that {@link #unites} or of several.
     *
     * @param unit the same object whenever the same kernels come in the same order, though their arrays and data may differ
     * @param owner whose values they compute
     * @return whether they have run and none of them refused a value. Otherwise they are to be run one by one: nothing has
     *     been done, or, where one of them may refuse, what they write is undefined
     */
    default boolean run(Object unit, long owner, List<Launch> launches) {
        return false;
    }

    /**
     * As {@link #run}, of kernels none of which refuses a value, with exchanges among them. Those are launches of a
     * {@link DeviceCommunicator#exchanger}. Nothing is computed before the answer is told to launch. Where it is empty the launches are
     * to be run one by one, and the exchanges begun one by one.
     */
    default Optional<PreparedLaunchGroup> ready(Object unit, long owner, List<Launch> launches) {
        return Optional.empty();
    }

    /** An owner is gone, and what was kept for its units may be. */
    default void forgetOwner(long owner) {}

    /** A unit is not run any more, and what was kept for it may be gone. Must not block. */
    default void forgetGroup(Object unit) {}

    /**
     * Copies little-endian elements into a buffer, from element {@code offset} on; what computes with them comes behind. The bytes
     * are only lent. May wait for the device.
     */
    void write(EngineBuffer target, long offset, Bytes source);

    /**
     * Copies elements {@code first} to {@code first + count} of a value to an array, row-major, little-endian, and waits until they
     * are computed and here.
     */
    void read(Array source, long first, int count, byte[] target, int at);

    /** As {@link #read(Array, long, int, byte[], int)}, to an array of their size. */
    default byte[] read(Array source, long first, int count) {
        byte[] bytes = new byte[Math.multiplyExact(count, source.dtype().bytes())];
        read(source, first, count, bytes, 0);
        return bytes;
    }

    // ---- what is done later

    /**
     * Whether kernels, reads and writes may be done later than they are asked for, by a device that has a clock. Then nobody learns
     * from the host's clock how long they took, but from {@link #stamp} and {@link #fence}.
     */
    default boolean isAsynchronous() {
        return false;
    }

    /** How many sessions it serves side by side: one for each processor, or for each queue of a device. */
    default int concurrentSlices() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** A place behind all that it was asked to compute so far. A fence is to follow, or the stamp is never let go of. */
    default Stamp stamp() {
        return fence();
    }

    /** As {@link #stamp}, and a completion of all that lies before. Does not wait for the device. */
    default Fence fence() {
        return Fence.reached(System.nanoTime());
    }

    /**
     * As {@link #write}, but never waits for the device. The bytes have been taken when it returns; the answer is done when they
     * have arrived. The caller bounds how much is on its way.
     */
    default Completion writeLater(EngineBuffer target, long offset, Bytes source) {
        write(target, offset, source);
        return Completion.DONE;
    }

    /**
     * As {@link #read(Array, long, int, byte[], int)}, but never waits for the device: the elements are those of this moment and are in
     * the array once the answer is done. Until then nobody may release the value's memory or write to it. The caller bounds how much is
     * on its way.
     */
    default Completion readLater(Array source, long first, int count, byte[] target, int at) {
        read(source, first, count, target, at);
        return Completion.DONE;
    }

    // ---- with other devices

    /** The way to other members' devices that does not lead over their hosts, where there is one. */
    default Optional<DeviceCollectives> collectives() {
        return Optional.empty();
    }

    @Override
    void close();
}
