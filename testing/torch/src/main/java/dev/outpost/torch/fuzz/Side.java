package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The side that Outpost is compared with. */
interface Side extends AutoCloseable {

    /** Begins another program: no variable is known any more. */
    void reset();

    /** Runs a statement and tells of the variables, and of gradients such as {@code v0.grad}, with these names. */
    StatementOutcome run(FuzzStatement statement, Set<String> looks);

    /** Takes Outpost's elements for these variables, so that roundings do not add up from statement to statement. */
    void adopt(Map<String, HostTensor> values);

    /** The values of these variables when the program is computed anew, in another way, where this side can. */
    default Optional<Map<String, Optional<Seen>>> recomputed(
            Recomputation way, List<FuzzStatement> program, Set<String> looks) {
        return Optional.empty();
    }

    @Override
    void close();
}
