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
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats statements as Python. It uses the names {@code torch}, {@code F} for its functional module, {@code nan} and {@code inf}. */
final class PythonText {
    /** The functions that are not methods of a tensor. */
    private static final Set<String> FUNCTIONS = Set.of(
            "cat",
            "stack",
            "hstack",
            "vstack",
            "dstack",
            "column_stack",
            "block_diag",
            "cartesian_prod",
            "meshgrid",
            "broadcast_tensors",
            "combinations",
            "tensordot",
            "einsum",
            "arange",
            "zeros",
            "ones",
            "eye",
            "linspace",
            "logspace",
            "tril_indices",
            "triu_indices",
            "zeros_like",
            "ones_like",
            "full_like",
            "atleast_1d",
            "atleast_2d",
            "atleast_3d",
            "cdist",
            "trapezoid",
            "cumulative_trapezoid",
            "gradient",
            "searchsorted",
            "bucketize",
            "isin",
            "rsub",
            "std_mean",
            "var_mean",
            "constant_pad_nd",
            "alias_copy",
            "as_strided_copy",
            "complex",
            "diagonal_copy",
            "empty",
            "empty_like",
            "expand_copy",
            "fill",
            "full",
            "grid_sampler_2d",
            "histogramdd",
            "lu_unpack",
            "native_batch_norm",
            "native_layer_norm",
            "permute_copy",
            "polar",
            "rand_like",
            "scalar_tensor",
            "split_with_sizes_copy",
            "squeeze_copy",
            "t_copy",
            "transpose_copy",
            "trapz",
            "unbind_copy",
            "unfold_copy",
            "unravel_index",
            "unsqueeze_copy",
            "view_as_complex",
            "view_as_real",
            "view_copy",
            "conj_physical",
            "broadcast_to");

    private static final Set<String> PROPERTIES = Set.of("T", "mT", "H", "mH", "real", "imag");

    /** The functions that return Python's truth values. */
    private static final Set<String> TRUTHS = Set.of("equal", "allclose");

    private PythonText() {}

    static String of(FuzzStatement statement) {
        return switch (statement) {
            case Literal literal -> literal.name() + " = " + literal(literal.value(), literal.requiresGrad());
            case Invocation call -> {
                String text = call.isWrite() ? call(call) : call.name() + " = " + call(call);
                yield call.withoutGrad() ? "with torch.no_grad(): " + text : text;
            }
            case Backward backward ->
                backward.output() + ".backward("
                        + Stream.concat(
                                        backward.cotangent().stream(),
                                        backward.retainGraph() ? Stream.of("retain_graph=True") : Stream.empty())
                                .collect(Collectors.joining(", "))
                        + ")";
            case Layer layer -> layer(layer);
            case Forward forward -> forward.name() + " = " + forward.layer() + "(" + forward.input() + ")";
            case Training training ->
                training.name() + " = torch.optim." + training.kind().python() + "(["
                        + Stream.concat(
                                        training.layers().stream().map(layer -> "*" + layer + ".parameters()"),
                                        training.leaves().stream())
                                .collect(Collectors.joining(", "))
                        + "], " + given(List.of(), training.settings()) + ")";
            case Step step -> step.optimizer() + ".step()";
            case ZeroGrad zeroGrad -> zeroGrad.optimizer() + ".zero_grad()";
        };
    }

    private static String layer(Layer layer) {
        String sizes = layer.sizes().stream().map(Object::toString).collect(Collectors.joining(", "));
        String state = layer.state().entrySet().stream()
                .map(entry -> "'" + entry.getKey() + "': " + literal(entry.getValue(), false))
                .collect(Collectors.joining(", "));
        return layer.name() + " = torch.nn." + layer.kind().python() + "(" + sizes + ")"
                + (layer.trains() ? "" : ".eval()")
                + (state.isEmpty() ? "" : "; " + layer.name() + ".load_state_dict({" + state + "})");
    }

    // ---- literals

    /** Formats a literal. A tensor without elements is created directly, too, so that it is not a view. */
    private static String literal(HostTensor value, boolean requiresGrad) {
        String elements = value.shape().elements() > 0
                ? "torch.tensor(" + nested(value, 0, new long[] {0})
                : "torch.empty(" + list(value.shape());
        return elements + ", dtype=torch." + value.dtype() + (requiresGrad ? ", requires_grad=True" : "") + ")";
    }

    private static String list(Shape shape) {
        return Stream.of(shape.toArray())
                .map(java.util.Arrays::toString)
                .findFirst()
                .orElseThrow();
    }

    private static String nested(HostTensor value, int dim, long[] next) {
        if (dim == value.shape().rank()) {
            return element(value, next[0]++);
        }
        return Stream.generate(() -> nested(value, dim + 1, next))
                .limit(value.shape().size(dim))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String element(HostTensor value, long index) {
        return switch (value.dtype().category()) {
            case BOOL -> truth(value.getBoolean(index));
            case INTEGRAL -> Long.toString(value.getLong(index));
            case FLOATING -> real(value.getDouble(index));
        };
    }

    private static String truth(boolean value) {
        return value ? "True" : "False";
    }

    private static String real(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
    }

    // ---- calls

    private static String call(Invocation call) {
        return TRUTHS.contains(call.op()) ? "torch.tensor(" + plainCall(call) + ")" : plainCall(call);
    }

    private static String plainCall(Invocation call) {
        List<Argument> arguments = call.arguments();
        if (call.op().equals("__getitem__")) {
            return of(arguments.get(0)) + "[" + index(arguments.get(1)) + "]";
        }
        if (call.op().equals("__setitem__")) {
            return of(arguments.get(0)) + "[" + index(arguments.get(1)) + "] = " + of(arguments.get(2));
        }
        if (PROPERTIES.contains(call.op())) {
            return of(arguments.get(0)) + "." + call.op();
        }
        if (call.op().equals("slice")) {
            return slice(arguments);
        }
        boolean isMethod = !call.op().contains(".") && !FUNCTIONS.contains(call.op());
        return isMethod
                ? of(arguments.get(0)) + "." + call.op() + "("
                        + given(arguments.subList(1, arguments.size()), call.keywords()) + ")"
                : function(call.op()) + "(" + given(arguments, call.keywords()) + ")";
    }

    private static String function(String op) {
        String functional = "nn.functional.";
        return op.startsWith(functional) ? "F." + op.substring(functional.length()) : "torch." + op;
    }

    /** PyTorch's {@code slice} is written in brackets: {@code x[:, start:end:step]}. */
    private static String slice(List<Argument> arguments) {
        long dim = ((IntegerArgument) arguments.get(1)).value();
        String place = dim < 0 ? "..., " : ":, ".repeat((int) dim);
        String rest = dim < 0 ? ", :".repeat((int) (-1 - dim)) : "";
        return of(arguments.get(0)) + "[" + place + of(arguments.get(2)) + ":" + of(arguments.get(3)) + ":"
                + of(arguments.get(4)) + rest + "]";
    }

    private static String given(List<Argument> arguments, Map<String, Argument> keywords) {
        return Stream.concat(
                        arguments.stream().map(PythonText::of),
                        keywords.entrySet().stream().map(entry -> entry.getKey() + "=" + of(entry.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String index(Argument index) {
        return index instanceof ListArgument list
                ? list.items().stream()
                        .map(PythonText::of)
                        .collect(Collectors.joining(", ", "", list.items().size() == 1 ? "," : ""))
                : of(index);
    }

    static String of(Argument argument) {
        return switch (argument) {
            case TensorArgument tensor -> tensor.name();
            case DTypeArgument dtype -> "torch." + dtype.dtype();
            case SliceArgument slice ->
                bound(slice.start()) + ":" + bound(slice.stop())
                        + (slice.step().isPresent() ? ":" + bound(slice.step()) : "");
            case EllipsisArgument ellipsis -> "...";
            case IntegerArgument integer -> Long.toString(integer.value());
            case FloatArgument real -> real(real.value());
            case BoolArgument bool -> truth(bool.value());
            case TextArgument text -> "'" + text.value() + "'";
            case NullArgument none -> "None";
            case ListArgument list ->
                list.items().stream().map(PythonText::of).collect(Collectors.joining(", ", "[", "]"));
        };
    }

    private static String bound(OptionalLong bound) {
        return bound.isPresent() ? Long.toString(bound.getAsLong()) : "";
    }
}
