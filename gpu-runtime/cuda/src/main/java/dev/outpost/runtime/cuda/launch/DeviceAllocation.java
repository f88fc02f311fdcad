package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;

/** Memory of the device, and the state of the queues that may still use it. That state is guarded by the engine's lock. */
public final class DeviceAllocation {
    private final long address;
    private final long bytes;
    private long usedAt;
    private Gpu.Mark arrival;
    private long use;

    /**
     * @param address the address of the first byte
     * @param bytes the size
     */
    DeviceAllocation(long address, long bytes) {
        this.address = address;
        this.bytes = bytes;
    }

    public long address() {
        return address;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the number of the last turn in which kernels used the memory, by {@link StreamDependencies}; 0 if none did. */
    long usedAt() {
        return usedAt;
    }

    void usedAt(long turn) {
        usedAt = turn;
    }

    /** Returns the use of its last allocation, see {@link dev.outpost.runtime.engine.Engine#allocate}. */
    long use() {
        return use;
    }

    void use(long number) {
        use = number;
    }

    /**
     * Returns the mark after the transfers into the memory, or out of it to another GPU; null if there are none, or kernels already wait
     * for it.
     */
    public Gpu.Mark arrival() {
        return arrival;
    }

    public void arrival(Gpu.Mark mark) {
        arrival = mark;
    }
}
