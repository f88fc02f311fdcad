package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import java.util.List;

/** One who computes a workload. A repetition is {@link #load} and {@link #run}; only the run is timed. */
public interface Contestant extends AutoCloseable {
    /** A result of more elements than this is looked at by its sum: else its way home is what would be measured. */
    int LOOK = 1 << 16;

    String name();

    /** Takes the inputs of each step of one more run, some of them more than once; they are where they are computed with when this returns. */
    void load(List<List<HostTensor>> steps);

    /**
     * Lets go of the results before, computes all steps of what was loaded first, and looks at every result, which stay whole
     * until they are cleared. Answers milliseconds.
     */
    double run();

    /** The elements of all results of the last run. */
    float[] results();

    /** Lets go of inputs and results. */
    void clear();

    @Override
    void close();
}
