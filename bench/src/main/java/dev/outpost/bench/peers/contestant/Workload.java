package dev.outpost.bench.peers.contestant;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload, written once for each library: all compute the same result from the same inputs and weights. */
public interface Workload {
    /** Returns the name in rows, in {@code --only} and in the script of the Python peer. */
    String name();

    /** Returns the number of computations in a repetition; a figure is the time of one. */
    default int steps() {
        return 1;
    }

    /** Returns the number of computations with different inputs. The others reuse these inputs, like epochs. */
    default int batches() {
        return steps();
    }

    /** Returns the allowed difference of results, as a fraction of their largest magnitude. */
    double tolerance();

    /** Returns the inputs of one step. */
    List<HostTensor> inputs(RandomValues values);

    /** Returns the initial values of weights that persist from step to step, by name. */
    default Map<String, HostTensor> weights() {
        return Map.of();
    }

    Computation ours(RemoteMachine machine);

    DjlComputation djl(NDManager manager);

    /** Returns another peer that can compute this workload, besides those that compute all. */
    default Optional<Contestant> specialist() {
        return Optional.empty();
    }
}
