package dev.outpost.bench.peers.contestant;

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
        Step of(RemoteMachine machine, Computation computation) {
            return inputs -> Looked.at(computation.step(inputs));
        }
    },
    /** Inside a scope. This is the one that counts. */
    SCOPED {
        @Override
        Step of(RemoteMachine machine, Computation computation) {
            return inputs -> {
                try (Scope scope = machine.scope()) {
                    Looked looked = Looked.at(computation.step(inputs));
                    looked.tensors().forEach(scope::keep);
                    return looked;
                }
            };
        }
    },
    /** As a program that is traced once. */
    PROGRAM {
        @Override
        Step of(RemoteMachine machine, Computation computation) {
            Program program = machine.program(inputs -> results(computation, inputs));
            return inputs -> Looked.of(program.call(inputs.toArray(Tensor[]::new)));
        }

        /** Gradients of inputs are computed whether or not they are what is compared, so they are results, too. */
        private static List<Tensor> results(Computation computation, List<Tensor> inputs) {
            List<Tensor> results =
                    new ArrayList<>(Looked.at(computation.step(inputs)).tensors());
            inputs.stream().map(Tensor::grad).filter(Objects::nonNull).forEach(results::add);
            return results;
        }
    };

    /** A step of a computation as a variant does it. The caller closes what it answers. */
    @FunctionalInterface
    interface Step {
        Looked run(List<Tensor> inputs);
    }

    /** The computation done like that, down to what is looked at. */
    abstract Step of(RemoteMachine machine, Computation computation);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
