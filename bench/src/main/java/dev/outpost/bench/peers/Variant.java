package dev.outpost.bench.peers;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** How a program of ours may do a step; each is a column of the table. */
public enum Variant {
    /** Plain code: what is not needed any more is the collector's. */
    EAGER {
        @Override
        Computation of(RemoteMachine machine, Computation computation) {
            return computation;
        }
    },
    /** Inside a scope. This is the one that counts. */
    SCOPED {
        @Override
        Computation of(RemoteMachine machine, Computation computation) {
            return inputs -> {
                try (Scope scope = machine.scope()) {
                    return scope.keep(computation.step(inputs));
                }
            };
        }
    },
    /** As a program that is traced once. */
    PROGRAM {
        @Override
        Computation of(RemoteMachine machine, Computation computation) {
            Program program = machine.program(inputs -> results(computation, inputs));
            return inputs -> {
                List<Tensor> results = program.call(inputs.toArray(Tensor[]::new));
                results.subList(1, results.size()).forEach(Tensor::close);
                return results.getFirst();
            };
        }

        /** Gradients of inputs are computed whether or not they are what is compared, so they are results, too. */
        private static List<Tensor> results(Computation computation, List<Tensor> inputs) {
            List<Tensor> results = new ArrayList<>(List.of(computation.step(inputs)));
            inputs.stream().map(Tensor::grad).filter(Objects::nonNull).forEach(results::add);
            return results;
        }
    };

    /** The computation done like that. It answers the result, which the caller closes. */
    abstract Computation of(RemoteMachine machine, Computation computation);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
