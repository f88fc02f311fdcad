package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * Fences and stamps in the queue of kernels, and the times at which the device passed them. The driver can only
 * measure the time between two marks, and only short times exactly. So each time is computed from the previous one.
 */
final class DeviceClock {
    private static final class Place implements Stamp {
        final Gpu.Mark mark;
        private volatile long nanos;

        Place(Gpu.Mark mark) {
            this.mark = mark;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    private final Gpu gpu;
    private final QueueWaiter waiter;
    /** The stamps after the latest fence. Guarded by the engine's lock. */
    private List<Place> stamps = new ArrayList<>();
    /** The latest stamp or fence whose time is known. Used only by the waiter thread. */
    private Place latest;

    DeviceClock(Gpu gpu, QueueWaiter waiter) {
        this.gpu = gpu;
        this.waiter = waiter;
    }

    /** Adds a stamp to the queue of kernels. Called under the engine's lock. */
    Stamp stamp() {
        Place stamp = new Place(gpu.mark(Queue.KERNELS));
        stamps.add(stamp);
        return stamp;
    }

    /**
     * Adds a fence to the queue of kernels. It also completes the stamps before it. Called under the engine's lock.
     */
    Fence fence() {
        Place end = new Place(gpu.mark(Queue.KERNELS));
        List<Place> before = stamps;
        stamps = new ArrayList<>();
        Fence fence = new Fence();
        waiter.add(end.mark, failure -> {
            if (failure == null) {
                reach(before, end, fence);
            } else {
                before.forEach(stamp -> gpu.forget(stamp.mark));
                gpu.forget(end.mark);
                fence.fail(failure);
            }
        });
        return fence;
    }

    private void reach(List<Place> before, Place end, Fence fence) {
        try {
            before.forEach(this::pass);
            pass(end);
        } catch (RuntimeException failure) {
            fence.fail(failure);
            return;
        }
        fence.reach(end.nanos);
    }

    private void pass(Place next) {
        if (latest != null) {
            next.nanos = latest.nanos + gpu.nanos(latest.mark, next.mark);
            gpu.forget(latest.mark);
        }
        latest = next;
    }

    /** Called after the waiter has ended, under the engine's lock. */
    void close() {
        stamps.forEach(stamp -> gpu.forget(stamp.mark));
        stamps.clear();
        if (latest != null) {
            gpu.forget(latest.mark);
            latest = null;
        }
    }
}
