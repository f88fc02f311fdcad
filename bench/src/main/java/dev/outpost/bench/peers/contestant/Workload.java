package dev.outpost.bench.peers.contestant;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload, written once for each side: from the same inputs and weights to the same result. */
public interface Workload {
    /** By which rows, {@code --only} and the script of the Python peer know it. */
    String name();

    /** How many computations a repetition consists of; a figure is the time of one. */
    default int steps() {
        return 1;
    }

    /** How many of them have inputs of their own. The others go over these again, as epochs do. */
    default int batches() {
        return steps();
    }

    /** How far results may be apart, as a part of the largest magnitude in them. */
    double tolerance();

    /** The inputs of one step. */
    List<HostTensor> inputs(RandomValues values);

    /** Weights that live from step to step, by name, as every side begins with them. */
    default Map<String, HostTensor> weights() {
        return Map.of();
    }

    Computation ours(RemoteMachine machine);

    DjlComputation djl(NDManager manager);

    /** Another peer that can do it, besides those that do everything. */
    default Optional<Contestant> specialist() {
        return Optional.empty();
    }
}
