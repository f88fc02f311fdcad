package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import java.util.List;

/** A library that computes a workload. A repetition is {@link #load} and {@link #run}; only the run is timed. */
public interface Contestant extends AutoCloseable {
    /**
     * The most elements of a result that is read whole. Of larger results only the sum is read, because the transfer would
     * dominate the time.
     */
    int LOOK = 1 << 16;

    String name();

    /**
     * Takes the inputs of each step of one more run; some inputs occur several times. On return they are in the memory of the
     * computation.
     */
    void load(List<List<HostTensor>> steps);

    /**
     * Releases the previous results, computes all steps of the first loaded inputs, and reads every result. The results stay
     * until they are cleared. Returns milliseconds.
     */
    double run();

    /** Returns the elements of all results of the last run. */
    float[] results();

    /** Releases inputs and results. */
    void clear();

    @Override
    void close();
}
