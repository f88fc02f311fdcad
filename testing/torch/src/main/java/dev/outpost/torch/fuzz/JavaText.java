package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
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
import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.FuzzStatement.Forward;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Layer;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.FuzzStatement.Step;
import dev.outpost.torch.fuzz.FuzzStatement.Training;
import dev.outpost.torch.fuzz.FuzzStatement.ZeroGrad;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Formats statements as Java for a reader. Names and order of arguments are PyTorch's, so an overload may need another order.
 */
final class JavaText {
    private static final Pattern WORD = Pattern.compile("_([a-z0-9])");

    private JavaText() {}

    static String of(FuzzStatement statement) {
        return switch (statement) {
            case Literal literal ->
                "Tensor " + literal.name() + " = " + tensor(literal.value())
                        + (literal.requiresGrad() ? ".requiresGrad(true);" : ";");
            case Invocation call -> call(call);
            case Backward backward ->
                backward.output() + ".backward(" + backward.cotangent().orElse("null") + ", " + backward.retainGraph()
                        + ");";
            case Layer layer ->
                "var " + layer.name() + " = new " + layer.kind().python() + "(" + joined(layer.sizes()) + ").to(machine"
                        + (layer.state().isEmpty() ? "" : ", Map.of(" + state(layer.state()) + ")") + ").train("
                        + layer.trains() + ");";
            case Forward forward ->
                "Tensor " + forward.name() + " = " + forward.layer() + ".forward(" + forward.input() + ");";
            case Training training ->
                "var " + training.name() + " = new " + training.kind().python() + "(parameters of "
                        + joined(training.layers()) + " and " + joined(training.leaves()) + "; "
                        + arguments(List.of(), training.settings()) + ");";
            case Step step -> step.optimizer() + ".step();";
            case ZeroGrad zeroGrad -> zeroGrad.optimizer() + ".zeroGrad();";
        };
    }

    private static String joined(List<?> items) {
        return items.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String state(Map<String, HostTensor> state) {
        return state.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\", " + host(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    // ---- tensors

    private static String tensor(HostTensor value) {
        return "machine.tensor(" + host(value) + ")" + cast(value.dtype());
    }

    private static String host(HostTensor value) {
        String type = value.dtype().isFloating() ? "double" : value.dtype() == DType.BOOL ? "boolean" : "long";
        String elements = LongStream.range(0, value.shape().elements())
                .mapToObj(index -> element(value, index))
                .collect(Collectors.joining(", "));
        String sizes =
                LongStream.of(value.shape().toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return "HostTensor.of(new " + type + "[] {" + elements + "}).reshape(" + sizes + ")";
    }

    private static String cast(DType dtype) {
        boolean isPlain = dtype == DType.FLOAT64 || dtype == DType.INT64 || dtype == DType.BOOL;
        return isPlain ? "" : "." + dtype + "()";
    }

    private static String element(HostTensor value, long index) {
        return switch (value.dtype().category()) {
            case BOOL -> Boolean.toString(value.getBoolean(index));
            case INTEGRAL -> value.getLong(index) + "L";
            case FLOATING -> real(value.getDouble(index));
        };
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "Double.NaN";
        }
        String infinity = value > 0 ? "Double.POSITIVE_INFINITY" : "Double.NEGATIVE_INFINITY";
        return Double.isInfinite(value) ? infinity : Double.toString(value);
    }

    // ---- calls

    private static String call(Invocation call) {
        List<Argument> arguments = call.arguments();
        boolean isMethod = !arguments.isEmpty()
                && arguments.getFirst() instanceof TensorArgument
                && !call.op().contains(".");
        String text = isMethod
                ? of(arguments.getFirst()) + "." + method(call.op()) + "("
                        + arguments(arguments.subList(1, arguments.size()), call.keywords()) + ")"
                : method(call.op()) + "(" + arguments(arguments, call.keywords()) + ")";
        String whole = call.isWrite() ? text : (call.hasParts() ? "var " : "Tensor ") + call.name() + " = " + text;
        return call.withoutGrad() ? "GradMode.noGrad(() -> " + text + ");" : whole + ";";
    }

    private static String method(String op) {
        return switch (op) {
            case "__getitem__" -> "get";
            case "__setitem__" -> "set";
            default -> {
                String last = op.substring(op.lastIndexOf('.') + 1);
                String owner =
                        op.startsWith("nn.functional.") ? "Functional." : op.startsWith("linalg.") ? "Linalg." : "";
                yield owner
                        + WORD.matcher(last).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
            }
        };
    }

    private static String arguments(List<Argument> arguments, Map<String, Argument> keywords) {
        return Stream.concat(
                        arguments.stream().map(JavaText::of),
                        keywords.entrySet().stream()
                                .map(entry -> "/* " + entry.getKey() + " */ " + of(entry.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String of(Argument argument) {
        return switch (argument) {
            case TensorArgument tensor -> tensor.name();
            case DTypeArgument dtype -> "DType." + dtype.dtype().name();
            case SliceArgument slice ->
                "Index.slice(" + bound(slice.start()) + ", " + bound(slice.stop()) + ", "
                        + slice.step().orElse(1) + ")";
            case EllipsisArgument ellipsis -> "Index.ellipsis()";
            case IntegerArgument integer -> Long.toString(integer.value());
            case FloatArgument real -> real(real.value());
            case BoolArgument bool -> Boolean.toString(bool.value());
            case TextArgument text -> "\"" + text.value() + "\"";
            case NullArgument none -> "null";
            case ListArgument list ->
                list.items().stream().map(JavaText::of).collect(Collectors.joining(", ", "{", "}"));
        };
    }

    private static String bound(OptionalLong bound) {
        return bound.isPresent() ? bound.getAsLong() + "L" : "null";
    }
}
