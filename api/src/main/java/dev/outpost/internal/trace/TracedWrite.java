package dev.outpost.internal.trace;

import dev.outpost.client.program.TensorRef;
import dev.outpost.client.record.Storage;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import java.util.List;

/** A write of a call to a storage or place outside of the program. A reference from 0 on is a bound output; a negative one is an input. */
public sealed interface TracedWrite {
    /** Stands for no gradient. */
    int NOTHING = Integer.MIN_VALUE;

    int reference();

    String label();

    /** A write that binds a new value to a storage. It happens under the recorder's lock, together with the call. */
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

    /** An outer storage. */
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

    /** An outer place, such as the gradient of a parameter. */
    record OfPlace(TensorRef<?> place, int reference) implements TracedWrite {
        @Override
        public String label() {
            return place.label();
        }
    }
}
