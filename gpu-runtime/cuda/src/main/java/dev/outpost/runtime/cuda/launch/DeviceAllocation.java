package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;

/** Memory of the device, and which queues may still be at work on it. What it says of that is under the engine's lock. */
public final class DeviceAllocation {
    private final long address;
    private final long bytes;
    private long usedAt;
    private Gpu.Mark arrival;
    private long use;

    /**
     * @param address where it begins
     * @param bytes how large it is
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

    /** The number of the last turn in which kernels had it, by {@link StreamDependencies}; 0 where none had. */
    long usedAt() {
        return usedAt;
    }

    void usedAt(long turn) {
        usedAt = turn;
    }

    /** The use of its last allocation, by {@link dev.outpost.runtime.engine.Engine#allocate}. */
    long use() {
        return use;
    }

    void use(long number) {
        use = number;
    }

    /** Behind what is on its way into it, or out of it to another GPU; null where that has been waited for, or nothing is. */
    public Gpu.Mark arrival() {
        return arrival;
    }

    public void arrival(Gpu.Mark mark) {
        arrival = mark;
    }
}
