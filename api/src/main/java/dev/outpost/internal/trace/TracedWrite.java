package dev.outpost.internal.trace;

import dev.outpost.client.program.TensorRef;
import dev.outpost.client.record.Storage;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import java.util.List;

/** A write of a call outside of the program. Its reference is a bound output or, as -1 and below, an input. */
public sealed interface TracedWrite {
    /** Stands for no gradient. */
    int NOTHING = Integer.MIN_VALUE;

    int reference();

    String label();

    /** A storage that is bound anew under the recorder's lock, with the call itself. */
    sealed interface OfStorage extends TracedWrite {
        Storage storage(List<? extends TensorState> arguments);
    }

    /** The storage of an argument. */
    record OfArgument(int index, int reference) implements OfStorage {
        @Override
        public Storage storage(List<? extends TensorState> arguments) {
            return States.cell(arguments.get(index));
        }

        @Override
        public String label() {
            return "input " + index;
        }
    }

    /** A storage from outside. */
    record OfOuter(Storage outer, int reference) implements OfStorage {
        @Override
        public Storage storage(List<? extends TensorState> arguments) {
            return outer;
        }

        @Override
        public String label() {
            return outer.handle().describe();
        }
    }

    /** A place from outside, such as the gradient of a parameter. */
    record OfPlace(TensorRef<?> place, int reference) implements TracedWrite {
        @Override
        public String label() {
            return place.label();
        }
    }
}
