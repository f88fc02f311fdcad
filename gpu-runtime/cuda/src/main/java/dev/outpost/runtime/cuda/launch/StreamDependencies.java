package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes queues wait for each other where their work shares memory. All work in the queue of kernels has a turn, which
 * is a rising number, and each block stores the last turn that used it. A copy to or from the block waits only for
 * that turn, and so runs concurrently with later kernels. Used under the engine's lock.
 */
public final class StreamDependencies {
    /**
     * The maximum number of remembered marks. If an older mark was forgotten, a queue waits for a later turn than
     * necessary.
     */
    private static final int MAX_MARKS = 8;

    private record Turn(long number, Gpu.Mark mark) {}

    private final Gpu gpu;
    /** The marks after some of the turns, the latest last. */
    private final Deque<Turn> marks = new ArrayDeque<>();

    private long turn;
    private long uploadsAfter;
    private long downloadsAfter;
    private long exchangesAfter;

    public StreamDependencies(Gpu gpu) {
        this.gpu = gpu;
    }

    /** Makes the queue of kernels wait for transfers to a block. Called before kernels use the block. */
    public void use(DeviceAllocation allocation) {
        arrive(allocation);
        turn++;
        allocation.usedAt(turn);
    }

    /** Works like {@link #use(DeviceAllocation)}, for blocks that are used in the same turn. */
    public void use(Iterable<DeviceAllocation> blocks) {
        blocks.forEach(this::arrive);
        turn++;
        blocks.forEach(allocation -> allocation.usedAt(turn));
    }

    /** Makes the queue of kernels wait for the transfers of a block. */
    private void arrive(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.follow(Queue.KERNELS, allocation.arrival());
            gpu.forget(allocation.arrival());
            allocation.arrival(null);
        }
    }

    /** Makes the next user of a block run after all earlier work. Called when the block is released. */
    void release(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            use(allocation);
        }
    }

    /** Marks a block as used by all kernels so far. It is needed for memory that kernels received as an address. */
    void releaseUsed(DeviceAllocation allocation) {
        allocation.usedAt(turn);
    }

    /** Makes the queue of uploads wait for the block's last kernel. Called before an upload to a block. */
    public void beforeUpload(DeviceAllocation allocation) {
        if (allocation.usedAt() > uploadsAfter) {
            uploadsAfter = follow(Queue.UPLOADS, allocation.usedAt());
        }
    }

    /** Sets the mark after uploads to a block. Called after the uploads were appended. */
    public void afterUpload(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.forget(allocation.arrival());
        }
        allocation.arrival(gpu.mark(Queue.UPLOADS));
    }

    /** Makes the queue of exchanges wait for the last kernels of the blocks. Called before an exchange. */
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

    /** Sets the marks after an exchange of blocks. Called after it has been appended. */
    public void afterExchange(Iterable<DeviceAllocation> blocks) {
        blocks.forEach(allocation -> allocation.arrival(gpu.mark(Queue.EXCHANGES)));
    }

    /** Makes the queue of downloads wait for the block's transfers and its last kernel. Called before a download. */
    public void beforeDownload(DeviceAllocation allocation) {
        if (allocation.arrival() != null) {
            gpu.follow(Queue.DOWNLOADS, allocation.arrival());
        }
        if (allocation.usedAt() > downloadsAfter) {
            downloadsAfter = follow(Queue.DOWNLOADS, allocation.usedAt());
        }
    }

    /** Makes a queue wait for a turn. Returns the turn for which it now waits, which may be later than the requested turn. */
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
