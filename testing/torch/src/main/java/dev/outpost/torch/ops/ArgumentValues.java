package dev.outpost.torch.ops;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.DTypeArgument;
import dev.outpost.torch.Argument.EllipsisArgument;
import dev.outpost.torch.Argument.FloatArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.ListArgument;
import dev.outpost.torch.Argument.NullArgument;
import dev.outpost.torch.Argument.SliceArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.Argument.TextArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Converts arguments to the form of {@link dev.outpost.vocabulary.Ops}.
 *
 * @param tensors returns the tensor of a name
 */
record ArgumentValues(Function<TensorArgument, Tensor> tensors) {

    Object of(Argument argument) {
        return switch (argument) {
            case TensorArgument tensor -> tensors.apply(tensor);
            case DTypeArgument dtype -> dtype.dtype();
            case SliceArgument slice ->
                Index.slice(
                        bound(slice.start()), bound(slice.stop()), slice.step().orElse(1));
            case EllipsisArgument ellipsis -> Index.ellipsis();
            case IntegerArgument integer -> integer.value();
            case FloatArgument real -> real.value();
            case BoolArgument bool -> bool.value();
            case TextArgument text -> text.value();
            case NullArgument none -> null;
            case ListArgument list -> all(list.items());
        };
    }

    /** Converts arguments; the results may contain null for None. */
    List<Object> all(List<Argument> arguments) {
        List<Object> values = new ArrayList<>();
        arguments.forEach(argument -> values.add(of(argument)));
        return values;
    }

    private static Long bound(OptionalLong bound) {
        return bound.isPresent() ? bound.getAsLong() : null;
    }
}
