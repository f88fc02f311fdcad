package dev.outpost.runtime.cuda.emulation;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The work of a graph in two queues: the kernels, and the exchanges beside them. */
final class EmulatedGraph {
    /** A place in one of the graph's queues; each launch has its own place. */
    private static final class CapturedMark implements Gpu.Mark {
        final Queue queue;

        CapturedMark(Queue queue) {
            this.queue = queue;
        }
    }

    /** A step that appends work in a launch. */
    private interface Step {
        void append(EmulatedQueues queues, Map<Gpu.Mark, Gpu.Mark> places);
    }

    private final List<Step> steps = new ArrayList<>();
    private final Set<Object> communicators = new HashSet<>();
    private boolean hasForked;
    /** The latest mark after all exchanges; null while there are exchanges without a later mark. */
    private Gpu.Mark afterExchanges;

    private boolean isJoined = true;

    /** The communicators whose exchanges the graph contains. */
    Set<Object> communicators() {
        return communicators;
    }

    void append(Queue queue, BooleanSupplier isReady, Runnable work) {
        if (queue == Queue.EXCHANGES) {
            if (!hasForked) {
                throw new AssertionError("the queue of exchanges is not part of the capture");
            }
            afterExchanges = null;
            isJoined = false;
        }
        steps.add((queues, places) -> queues.append(queue, isReady, work));
    }

    Gpu.Mark mark(Queue queue) {
        CapturedMark mark = new CapturedMark(queue);
        afterExchanges = queue == Queue.EXCHANGES ? mark : afterExchanges;
        steps.add((queues, places) -> places.put(mark, queues.mark(queue)));
        return mark;
    }

    void follow(Queue queue, Gpu.Mark mark) {
        if (!(mark instanceof CapturedMark own)) {
            throw new AssertionError("a mark from outside of the capture");
        }
        hasForked |= queue == Queue.EXCHANGES && own.queue == Queue.KERNELS;
        isJoined |= queue == Queue.KERNELS && own == afterExchanges;
        steps.add((queues, places) -> queues.follow(queue, places.get(mark)));
    }

    /** Checks that the other queues have joined, because a driver refuses a capture otherwise. */
    void requireJoined() {
        if (!isJoined) {
            throw new AssertionError("the capture ends while the queue of exchanges goes on");
        }
    }

    void launch(EmulatedQueues queues) {
        Map<Gpu.Mark, Gpu.Mark> places = new HashMap<>();
        steps.forEach(step -> step.append(queues, places));
    }
}
