package dev.outpost.torch;

import dev.outpost.types.DType;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One argument of a call, as cases.jsonl writes it. */
public sealed interface Argument {

    /** A tensor of the pack; a leaf of the graph if it requires a gradient. */
    record TensorArgument(String name, boolean requiresGrad) implements Argument {
        @Override
        public Stream<TensorArgument> tensors() {
            return Stream.of(this);
        }
    }

    record DTypeArgument(DType dtype) implements Argument {}

    /** Python's {@code start:stop:step}; empty parts were left out. */
    record SliceArgument(OptionalLong start, OptionalLong stop, OptionalLong step) implements Argument {}

    record EllipsisArgument() implements Argument {}

    record IntegerArgument(long value) implements Argument {}

    /** A number with a point, an infinity or NaN. */
    record FloatArgument(double value) implements Argument {}

    record BoolArgument(boolean value) implements Argument {}

    record TextArgument(String value) implements Argument {}

    record NullArgument() implements Argument {}

    /** A list or a tuple; PyTorch does not distinguish them here. */
    record ListArgument(List<Argument> items) implements Argument {
        public ListArgument {
            items = List.copyOf(items);
        }

        @Override
        public Stream<TensorArgument> tensors() {
            return items.stream().flatMap(Argument::tensors);
        }
    }

    /** Returns the tensors in this argument, in order. */
    default Stream<TensorArgument> tensors() {
        return Stream.empty();
    }
}
