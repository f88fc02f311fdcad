package dev.outpost;

import dev.outpost.client.RemoteValue;
import java.util.List;

/** What a call leaves in the world outside. Its reference is a bound output or, as -1 and below, an input. */
sealed interface TracedWrite {
    /** Stands for no gradient. */
    int NOTHING = Integer.MIN_VALUE;

    int reference();

    String label();

    /** A cell that is bound anew under the session's lock, with the call itself. */
    sealed interface OfStorage extends TracedWrite {
        Cell cell(List<Tensor> arguments);
    }

    /** The storage of an argument. */
    record OfArgument(int index, int reference) implements OfStorage {
        @Override
        public Cell cell(List<Tensor> arguments) {
            return arguments.get(index).cell();
        }

        @Override
        public String label() {
            return "input " + index;
        }
    }

    /** A cell from outside. */
    record OfCell(Cell outer, int reference) implements OfStorage {
        @Override
        public Cell cell(List<Tensor> arguments) {
            return outer;
        }

        @Override
        public String label() {
            return outer.label();
        }
    }

    /** The gradient of a variable from outside. */
    record OfGradient(Variable variable, int reference) implements TracedWrite {
        @Override
        public String label() {
            return "gradient of " + variable.cell().label();
        }

        /** A gradient lives where its variable does, as one that backward leaves. */
        void bind(RemoteValue value) {
            Tensor gradient = value == null ? null : Tensor.sharing(value);
            variable.replaceGradient(gradient);
            if (gradient != null) {
                Scope.move(gradient, variable.scope());
            }
        }
    }
}
