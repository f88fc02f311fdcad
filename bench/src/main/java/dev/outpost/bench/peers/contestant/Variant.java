package dev.outpost.bench.peers.contestant;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A way to run a step with Outpost; each is a column of the table. */
public enum Variant {
    /** Plain code: the garbage collector frees values that are not needed any more. */
    EAGER {
        @Override
        Step of(RemoteMachine machine, Computation computation) {
            return inputs -> Looked.at(computation.step(inputs));
        }
    },
    /** Inside a scope. This variant decides the comparison. */
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
    /** A program that is traced once. */
    PROGRAM {
        @Override
        Step of(RemoteMachine machine, Computation computation) {
            Program program = machine.program(inputs -> results(computation, inputs));
            return inputs -> Looked.of(program.call(inputs.toArray(Tensor[]::new)));
        }

        /** Returns the results and the gradients of inputs, which are computed even if they are not compared. */
        private static List<Tensor> results(Computation computation, List<Tensor> inputs) {
            List<Tensor> results =
                    new ArrayList<>(Looked.at(computation.step(inputs)).tensors());
            inputs.stream().map(Tensor::grad).filter(Objects::nonNull).forEach(results::add);
            return results;
        }
    };

    /** One step of a computation. The caller closes the result. */
    @FunctionalInterface
    interface Step {
        Looked run(List<Tensor> inputs);
    }

    /** Returns the step that runs a computation and reduces its result to the part that is read. */
    abstract Step of(RemoteMachine machine, Computation computation);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
