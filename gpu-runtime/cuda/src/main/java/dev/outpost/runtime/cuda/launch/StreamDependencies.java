package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which queue waits for which. Whatever is appended to the queue of kernels has a turn, a number that grows, and a block knows the
 * last one that had it: who copies to it or from it waits for no more than that, and so runs beside all that came later. Under
 * the engine's lock.
 */
public final class StreamDependencies {
    /** The older ones are forgotten: then more is waited for than need be. */
    private static final int MAX_MARKS = 8;

    private record Turn(long number, Gpu.Mark mark) {}

    private final Gpu gpu;
    /** Behind some of the turns, the latest last. */
    private final Deque<Turn> marks = new ArrayDeque<>();

    private long turn;
    private long uploadsAfter;
    private long downloadsAfter;
    private long exchangesAfter;

    public StreamDependencies(Gpu gpu) {
        this.gpu = gpu;
    }

    /** The queue of kernels is about to use a block: it waits for what is on its way there. */
    public void use(DeviceAllocation allocation) {
        arrive(allocation);
        turn++;
        allocation.usedAt(turn);
    }

    /** As {@link #use} for blocks that have their turn together. */
    public void use(Iterable<DeviceAllocation> blocks) {
        blocks.forEach(this::arrive);
        turn++;
        blocks.forEach(allocation -> allocation.usedAt(turn));
    }

    /** The next work in the queue of kernels finds the data that are on their way to a block. */
    private void arrive(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.follow(Queue.KERNELS, allocation.arrival());
            gpu.forget(allocation.arrival());
            allocation.arrival(null);
        }
    }

    /** Releases a block; its next user comes behind all earlier work. */
    void release(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            use(allocation);
        }
    }

    /** As {@link #release}, of what kernels had by its address. */
    void releaseUsed(DeviceAllocation allocation) {
        allocation.usedAt(turn);
    }

    /** The queue of uploads is about to write to a block. */
    public void beforeUpload(DeviceAllocation allocation) {
        if (allocation.usedAt() > uploadsAfter) {
            uploadsAfter = follow(Queue.UPLOADS, allocation.usedAt());
        }
    }

    /** Uploads to a block have been appended. */
    public void afterUpload(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.forget(allocation.arrival());
        }
        allocation.arrival(gpu.mark(Queue.UPLOADS));
    }

    /** The queue of exchanges is about to read and write blocks. */
    public void beforeExchange(Iterable<DeviceAllocation> blocks) {
        long used = 0;
        for (DeviceAllocation allocation : blocks) {
            release(allocation);
            used = Math.max(used, allocation.usedAt());
        }
        if (used > exchangesAfter) {
            exchangesAfter = follow(Queue.EXCHANGES, used);
        }
    }

    /** An exchange of blocks has been appended. */
    public void afterExchange(Iterable<DeviceAllocation> blocks) {
        blocks.forEach(allocation -> allocation.arrival(gpu.mark(Queue.EXCHANGES)));
    }

    /** The queue of downloads is about to read from a block. */
    public void beforeDownload(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.follow(Queue.DOWNLOADS, allocation.arrival());
        }
        if (allocation.usedAt() > downloadsAfter) {
            downloadsAfter = follow(Queue.DOWNLOADS, allocation.usedAt());
        }
    }

    /** The answer is the last turn that a queue waits for then, the given one or a later one. */
    private long follow(Queue queue, long wanted) {
        for (Turn known : marks) {
            if (known.number >= wanted) {
                gpu.follow(queue, known.mark);
                return known.number;
            }
        }
        Turn fresh = new Turn(turn, gpu.mark(Queue.KERNELS));
        marks.addLast(fresh);
        if (marks.size() > MAX_MARKS) {
            gpu.forget(marks.removeFirst().mark);
        }
        gpu.follow(queue, fresh.mark);
        return turn;
    }

    public void close() {
        marks.forEach(known -> gpu.forget(known.mark));
        marks.clear();
    }
}
