package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The side with which Outpost is compared. */
interface Side extends AutoCloseable {

    /** Begins another program, and forgets all variables. */
    void reset();

    /** Runs a statement, and returns the state of the variables, and of gradients such as {@code v0.grad}, with these names. */
    StatementOutcome run(FuzzStatement statement, Set<String> looks);

    /** Replaces the elements of these variables by Outpost's, so that roundings do not accumulate. */
    void adopt(Map<String, HostTensor> values);

    /** Returns the values of these variables after another computation of the program, if this side supports it. */
    default Optional<Map<String, Optional<Seen>>> recomputed(
            Recomputation way, List<FuzzStatement> program, Set<String> looks) {
        return Optional.empty();
    }

    @Override
    void close();
}
