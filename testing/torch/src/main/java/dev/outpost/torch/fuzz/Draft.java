package dev.outpost.torch.fuzz;

import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.DTypeArgument;
import dev.outpost.torch.Argument.FloatArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.ListArgument;
import dev.outpost.torch.Argument.NullArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.Argument.TextArgument;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arguments so far of a call that is drawn. */
final class Draft {
    private final List<Argument> arguments = new ArrayList<>();
    private final Map<String, Argument> keywords = new LinkedHashMap<>();
    private boolean hasParts;

    static Draft of(Object... arguments) {
        Draft draft = new Draft();
        for (Object argument : arguments) {
            draft.and(argument);
        }
        return draft;
    }

    Draft and(Object argument) {
        arguments.add(argument(argument));
        return this;
    }

    Draft with(String name, Object value) {
        keywords.put(name, argument(value));
        return this;
    }

    /** Marks the result as a list or a tuple. */
    Draft parts() {
        hasParts = true;
        return this;
    }

    FuzzStatement.Invocation call(String name, String op, boolean withoutGrad) {
        return new FuzzStatement.Invocation(name, op, arguments, keywords, hasParts, withoutGrad);
    }

    static Argument argument(Object value) {
        return switch (value) {
            case null -> new NullArgument();
            case Argument argument -> argument;
            case Known known -> new TensorArgument(known.name(), false);
            case Boolean bool -> new BoolArgument(bool);
            case Double real -> new FloatArgument(real);
            case Number integer -> new IntegerArgument(integer.longValue());
            case String text -> new TextArgument(text);
            case DType dtype -> new DTypeArgument(dtype);
            case int[] numbers -> argument(Arrays.stream(numbers).boxed().toList());
            case long[] numbers -> argument(Arrays.stream(numbers).boxed().toList());
            case List<?> list ->
                new ListArgument(list.stream().map(Draft::argument).toList());
            default -> throw new IllegalArgumentException("no argument can be made of " + value.getClass());
        };
    }
}
