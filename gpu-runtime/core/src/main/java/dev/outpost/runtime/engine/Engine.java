package dev.outpost.runtime.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Optional;

/**
 * Owns the memory of a device and compiles instructions to kernels. The caller manages sessions, plans, liveness,
 * quotas and faults. Any thread may call all methods.
 */
public interface Engine extends AutoCloseable {
    /** Returns the short name of the engine: {@code reference}, {@code cpu} or {@code cuda}. */
    String name();

    /** Returns a readable description of the engine's device, such as {@code cpu, 2 threads, OpenBLAS}. */
    String device();

    /**
     * Allocates memory for this number of elements. Its content is undefined. If the device has no room, throws an
     * {@code OutpostException} of kind resources, which states the requested size.
     */
    EngineBuffer allocate(DType dtype, long elements);

    /**
     * Allocates like {@link #allocate(DType, long)}, for one of several owners. An engine whose kernels are less safe than Java, such as
     * that of a GPU, wipes the memory if another owner had it before.
     *
     * @param owner a number above 0
     */
    default EngineBuffer allocate(DType dtype, long elements, long owner) {
        return allocate(dtype, elements);
    }

    /** The value of {@code use} for memory that is allocated only once. */
    long NO_USE = 0;

    /**
     * Allocates like {@link #allocate(DType, long, long)}. An engine whose launch groups run faster if their buffers keep their addresses
     * returns the memory of the last allocation for the same use, if that memory is free.
     *
     * @param use a number that repeats from step to step; {@link #NO_USE} if the allocation has no such number
     */
    default EngineBuffer allocate(DType dtype, long elements, long owner, long use) {
        return allocate(dtype, elements, owner);
    }

    /** Returns the approximate number of bytes that the device has for values. */
    default long memoryBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /**
     * Returns how many of the given bytes the engine could allocate now. The default implementation returns all bytes. If the engine has too little
     * unused memory itself, it asks the device.
     */
    default long available(long bytes) {
        return bytes;
    }

    /**
     * Returns the reason why this engine can never compute again, such as a lost device; empty while the engine
     * works.
     */
    default Optional<String> brokenBy() {
        return Optional.empty();
    }

    /** Returns the maximum number of elements of a value, including views. */
    default long mostElements() {
        return Long.MAX_VALUE;
    }

    /** Releases memory. The caller must not use the buffer afterwards. */
    void release(EngineBuffer buffer);

    /** Frees host memory that was released and that the engine keeps for later allocations. Thread-safe. Running work continues. */
    default void freeUnused() {}

    /**
     * Returns the code of one instruction. The code may depend on the structural attributes of the op and the types of the operands,
     * never on data attributes, which each call of {@link Kernel#run} receives. Never called for a {@code Placement}.
     */
    Kernel compile(Instruction instruction);

    /** Returns true if the engine can compile a {@link FusedMap}. */
    default boolean fuses() {
        return false;
    }

    /**
     * Returns the code of several elementwise instructions, if the engine {@link #fuses}. The kernel receives the operands that the map
     * lists, and computes the same bits as the single instructions. If one of the instructions refuses a value, the whole kernel fails.
     */
    default GeneratedKernel compile(FusedMap map) {
        throw new UnsupportedOperationException(name() + " computes one instruction at a time");
    }

    /** Returns true if the engine can compile the instruction as a part of {@link FusedRows}. */
    default boolean fusesInRows(Instruction instruction) {
        return false;
    }

    /** Compiles like {@link #compile(FusedMap)}. {@link #fusesInRows} must be true for each instruction. */
    default GeneratedKernel compile(FusedRows rows) {
        throw new UnsupportedOperationException(name() + " computes no rows");
    }

    /**
     * Returns true if the runtime may leave values uncomputed until they are requested. An engine with launch groups
     * ({@link #unites}) returns false, because the memory inside a group is released after the group has run.
     */
    default boolean keepsRematerializations() {
        return false;
    }

    /**
     * Returns true if the kernel of the instruction may run in a launch group. Such a kernel only appends to a queue and never waits. An
     * engine that returns true implements {@link #part} and {@link #run}.
     */
    default boolean unites(Instruction instruction) {
        return false;
    }

    /** Returns a part of a buffer as elements. The part lives as long as the whole buffer and is not released by itself. */
    default EngineBuffer part(EngineBuffer whole, long firstByte, DType dtype, long elements) {
        throw new UnsupportedOperationException(name() + " has no parts of buffers");
    }

    /**
     * Runs the kernels of a launch group in order. Each kernel computes one or more instructions for which {@link
     * #unites} is true.
     *
     * @param unit the identity of the launch group: the same object for the same kernels in the same order, whose
     *     arrays and data may differ
     * @param owner the owner of the values
     * @return true if the kernels have run and none of them refused a value. Otherwise the caller runs them one by
     *     one: nothing has been computed or, if one of them may refuse a value, the results are undefined
     */
    default boolean run(Object unit, long owner, List<Launch> launches) {
        return false;
    }

    /**
     * Prepares a launch group that also contains exchanges, as launches of a {@link DeviceCommunicator#exchanger}. None of the kernels
     * can refuse a value. Nothing is computed before the returned group is launched. If the answer is empty, the caller runs the kernels
     * one by one and begins each exchange by itself.
     */
    default Optional<PreparedLaunchGroup> ready(Object unit, long owner, List<Launch> launches) {
        return Optional.empty();
    }

    /** Drops all data about the launch groups of an owner. The owner runs no groups afterwards. */
    default void forgetOwner(long owner) {}

    /** Drops all data about a launch group. The group does not run again afterwards. Must not block. */
    default void forgetGroup(Object unit) {}

    /**
     * Copies little-endian elements into a buffer, beginning at element {@code offset}. Later computations read the
     * new elements. The caller may reuse the bytes when the method returns. May wait for the device.
     */
    void write(EngineBuffer target, long offset, Bytes source);

    /**
     * Copies elements {@code first} (inclusive) to {@code first + count} (exclusive) of a value to an array,
     * row-major and little-endian. Waits until they are computed and copied.
     */
    void read(Array source, long first, int count, byte[] target, int at);

    /** Reads like {@link #read(Array, long, int, byte[], int)}, into a new array. */
    default byte[] read(Array source, long first, int count) {
        byte[] bytes = new byte[Math.multiplyExact(count, source.dtype().bytes())];
        read(source, first, count, bytes, 0);
        return bytes;
    }

    // ---- asynchronous work

    /**
     * Returns true if the device may execute kernels, reads and writes after the call that asks for them. The time of
     * such work is measured by the device's clock, by {@link #stamp} and {@link #fence}, not by the host's clock.
     */
    default boolean isAsynchronous() {
        return false;
    }

    /**
     * Returns the number of sessions that the engine can serve at the same time: one for each processor, or one for each queue
     * of a device.
     */
    default int concurrentSlices() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * Returns a point in time after all work that was submitted so far. A {@link #fence} has to follow. Otherwise the stamp is never
     * released.
     */
    default Stamp stamp() {
        return fence();
    }

    /** Returns a {@link #stamp} that also completes after all work that was submitted before. Does not wait for the device. */
    default Fence fence() {
        return Fence.reached(System.nanoTime());
    }

    /**
     * Writes like {@link #write}, but never waits for the device. The caller may reuse the bytes when the method returns. The completion is
     * done when the device has them. The caller limits the number of bytes that are still being copied.
     */
    default Completion writeLater(EngineBuffer target, long offset, Bytes source) {
        write(target, offset, source);
        return Completion.DONE;
    }

    /**
     * Reads like {@link #read(Array, long, int, byte[], int)}, but never waits for the device. It reads the elements after all work that
     * was submitted before. They are in the array when the completion is done. Until then the value's memory must be neither released nor
     * written to. The caller limits the number of bytes that are still being copied.
     */
    default Completion readLater(Array source, long first, int count, byte[] target, int at) {
        read(source, first, count, target, at);
        return Completion.DONE;
    }

    // ---- with other devices

    /**
     * Returns the library for exchanges between members' devices that bypass their hosts; empty if the engine has
     * none.
     */
    default Optional<DeviceCollectives> collectives() {
        return Optional.empty();
    }

    @Override
    void close();
}
