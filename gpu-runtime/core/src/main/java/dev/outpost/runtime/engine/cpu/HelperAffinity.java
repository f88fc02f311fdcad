package dev.outpost.runtime.engine.cpu;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Keeps helpers off the processor of who called them. The system puts a thread that is woken where there is room at that moment;
 * when all processors have something to do for just some microseconds, that is often the caller's, where it waits for a turn
 * of 4 ms, while another has gone idle: on two processors every other kernel of 5 ms took 9.
 */
final class HelperAffinity {
    private final Supplier<Optional<Affinity>> system;
    private final List<Helper> helpers = new CopyOnWriteArrayList<>();
    private volatile int avoided = -1;

    /**
     * A thread that helps.
     *
     * @param number the system's
     * @param processors where it might run from the beginning
     */
    private record Helper(Affinity affinity, int number, BitSet processors) {
        /** Stays where it is if that is the only one. */
        void avoid(int processor) {
            BitSet others = (BitSet) processors.clone();
            others.clear(processor);
            if (!others.isEmpty()) {
                affinity.allow(number, others);
            }
        }
    }

    /** @param system asked by the first helper, so that nobody waits for it; empty where all run where the system puts them */
    HelperAffinity(Supplier<Optional<Affinity>> system) {
        this.system = system;
    }

    /** To be called by each helper when it begins. */
    void join() {
        system.get().ifPresent(affinity -> {
            int number = affinity.thread();
            helpers.add(new Helper(affinity, number, affinity.allowed(number)));
            avoided = -1;
        });
    }

    /** To be called by who is about to call the helpers while they have nothing else to do. */
    void avoidCaller() {
        if (helpers.isEmpty()) {
            return;
        }
        int here = helpers.getFirst().affinity().processor();
        if (here != avoided) {
            avoided = here;
            helpers.forEach(helper -> helper.avoid(here));
        }
    }
}
