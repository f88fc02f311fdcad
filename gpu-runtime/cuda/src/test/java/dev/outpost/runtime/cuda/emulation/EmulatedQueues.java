package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The queues of a GPU, which do nothing until a thread waits. */
final class EmulatedQueues {
    /** A place in a queue, with the time at which the queue passed it, if it has. */
    private static final class Place implements Gpu.Mark {
        boolean isPast;
        long nanos;
    }

    /** A piece of work, which may wait for a place in another queue and for another GPU. */
    private record Step(Place behind, BooleanSupplier isReady, Runnable work) {
        boolean isNext() {
            return behind == null || behind.isPast;
        }
    }

    private static final List<Queue> KERNELS_FIRST =
            List.of(Queue.KERNELS, Queue.UPLOADS, Queue.DOWNLOADS, Queue.EXCHANGES);
    private static final List<Queue> COPIES_FIRST =
            List.of(Queue.DOWNLOADS, Queue.UPLOADS, Queue.KERNELS, Queue.EXCHANGES);

    private final Map<Queue, Deque<Step>> steps = new EnumMap<>(Queue.class);
    private List<Queue> turns = KERNELS_FIRST;
    private long nanos;

    EmulatedQueues() {
        for (Queue queue : Queue.values()) {
            steps.put(queue, new ArrayDeque<>());
        }
    }

    void copiesFirst(boolean areFirst) {
        turns = areFirst ? COPIES_FIRST : KERNELS_FIRST;
    }

    void append(Queue queue, Runnable work) {
        append(queue, () -> true, work);
    }

    /** Work that waits for another GPU. */
    void append(Queue queue, BooleanSupplier isReady, Runnable work) {
        steps.get(queue).add(new Step(null, isReady, work));
    }

    Gpu.Mark mark(Queue queue) {
        Place place = new Place();
        append(queue, () -> {
            place.isPast = true;
            place.nanos = nanos;
        });
        return place;
    }

    /** Time passes. */
    void pass(long more) {
        nanos += more;
    }

    static boolean isPast(Gpu.Mark mark) {
        return ((Place) mark).isPast;
    }

    static long nanos(Gpu.Mark from, Gpu.Mark to) {
        return ((Place) to).nanos - ((Place) from).nanos;
    }

    boolean isEmpty() {
        return steps.values().stream().allMatch(Deque::isEmpty);
    }

    void follow(Queue queue, Gpu.Mark mark) {
        steps.get(queue).add(new Step((Place) mark, () -> true, () -> {}));
    }

    /** Returns true if a queue waits for another GPU. */
    boolean isHeldByOthers() {
        return steps.values().stream()
                .map(Deque::peek)
                .anyMatch(
                        next -> next != null && next.isNext() && !next.isReady().getAsBoolean());
    }

    /** Runs one step, of the queue with the highest priority that has a ready step. Returns false if no step is ready. */
    boolean runOne() {
        for (Queue queue : turns) {
            Step next = steps.get(queue).peek();
            if (next != null && next.isNext() && next.isReady().getAsBoolean()) {
                steps.get(queue).remove();
                next.work.run();
                return true;
            }
        }
        return false;
    }
}
