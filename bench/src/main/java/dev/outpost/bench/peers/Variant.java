package dev.outpost.bench.peers;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.List;
import java.util.Locale;

/** How a program of ours may do a step; each is a column of the table. */
public enum Variant {
    /** Plain code: what is not needed any more is the collector's. */
    EAGER {
        @Override
        Tensor step(RemoteMachine machine, Computation computation, List<Tensor> inputs) {
            return computation.step(inputs);
        }
    },
    /** Inside a scope. This is the one that counts. */
    SCOPED {
        @Override
        Tensor step(RemoteMachine machine, Computation computation, List<Tensor> inputs) {
            try (Scope scope = machine.scope()) {
                return scope.keep(computation.step(inputs));
            }
        }
    };

    /** Answers the result, which the caller closes. */
    abstract Tensor step(RemoteMachine machine, Computation computation, List<Tensor> inputs);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
