package dev.outpost.onnx.graph;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/** Infers outputs of operators that compute each element separately, or keep the shape. */
final class ElementwiseRules {
    /** Operators whose first output has the type of the first input; other outputs are unknown. */
    static final List<String> SAME = List.of(
            "Relu",
            "Sigmoid",
            "Tanh",
            "Exp",
            "Log",
            "Sqrt",
            "Neg",
            "Abs",
            "Floor",
            "Ceil",
            "Round",
            "Erf",
            "Gelu",
            "FastGelu",
            "QuickGelu",
            "BiasGelu",
            "Softmax",
            "LogSoftmax",
            "Hardmax",
            "LeakyRelu",
            "Elu",
            "Selu",
            "Celu",
            "HardSigmoid",
            "HardSwish",
            "Swish",
            "Mish",
            "Softplus",
            "Softsign",
            "Sign",
            "Reciprocal",
            "Sin",
            "Cos",
            "Tan",
            "Asin",
            "Acos",
            "Atan",
            "Sinh",
            "Cosh",
            "Asinh",
            "Acosh",
            "Atanh",
            "Clip",
            "LayerNormalization",
            "SimplifiedLayerNormalization",
            "RMSNormalization",
            "BatchNormalization",
            "InstanceNormalization",
            "GroupNormalization",
            "LpNormalization",
            "MeanVarianceNormalization",
            "LRN",
            "CumSum",
            "Not",
            "BitwiseNot",
            "ThresholdedRelu",
            "Shrink",
            "Trilu",
            "ScatterElements",
            "ScatterND",
            "Scatter",
            "ReverseSequence",
            "RotaryEmbedding");

    private static final List<String> BROADCAST = List.of(
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Pow",
            "Mod",
            "Max",
            "Min",
            "Sum",
            "Mean",
            "BitShift",
            "BitwiseAnd",
            "BitwiseOr",
            "BitwiseXor",
            "PRelu");

    private static final List<String> COMPARE =
            List.of("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "And", "Or", "Xor");

    /** The operations on known integers, which shapes are computed from. */
    private static final Map<String, LongBinaryOperator> ARITHMETIC = Map.ofEntries(
            Map.entry("Add", (a, b) -> a + b),
            Map.entry("Sub", (a, b) -> a - b),
            Map.entry("Mul", (a, b) -> a * b),
            Map.entry("Div", (a, b) -> a / b),
            Map.entry("Mod", Math::floorMod),
            Map.entry("Max", Math::max),
            Map.entry("Min", Math::min),
            Map.entry("Equal", (a, b) -> a == b ? 1 : 0),
            Map.entry("Greater", (a, b) -> a > b ? 1 : 0),
            Map.entry("Less", (a, b) -> a < b ? 1 : 0));

    private ElementwiseRules() {}

    static void addTo(Map<String, ShapeRule> rules) {
        SAME.forEach(op -> rules.put(op, node -> List.of(node.input(0).withoutContent())));
        BROADCAST.forEach(op -> rules.put(op, node -> List.of(broadcast(node, node.dtype(0)))));
        COMPARE.forEach(op -> rules.put(op, node -> List.of(broadcast(node, DType.BOOL))));
        for (String op : List.of("IsNaN", "IsInf")) {
            rules.put(op, node -> List.of(Inferred.of(DType.BOOL, node.shape(0))));
        }
        rules.put("Identity", node -> List.of(node.input(0)));
        rules.put("Neg", node -> List.of(negated(node)));
        rules.put("Dropout", node -> List.of(node.input(0), Inferred.of(DType.BOOL, node.shape(0))));
        rules.put("Where", node -> List.of(where(node)));
        rules.put("Cast", node -> List.of(cast(node, node.dtypeAttribute("to").orElseThrow(NodeView.Unknown::new))));
        rules.put("CastLike", node -> List.of(cast(node, node.dtype(1))));
        rules.put(
                "QuantizeLinear",
                node -> List.of(Inferred.of(node.hasInput(2) ? node.dtype(2) : DType.UINT8, node.shape(0))));
        rules.put("DequantizeLinear", node -> List.of(Inferred.of(node.dtype(1), node.shape(0))));
        rules.put(
                "DynamicQuantizeLinear",
                node -> List.of(
                        Inferred.of(DType.UINT8, node.shape(0)),
                        Inferred.of(DType.FLOAT32, Shape.SCALAR),
                        Inferred.of(DType.UINT8, Shape.SCALAR)));
    }

    private static Inferred negated(NodeView node) {
        long[] content = node.input(0).content();
        if (content == null) {
            return node.input(0);
        }
        long[] negated = new long[content.length];
        for (int index = 0; index < negated.length; index++) {
            negated[index] = -content[index];
        }
        return Inferred.of(node.dtype(0), node.shape(0), negated);
    }

    private static Inferred broadcast(NodeView node, DType dtype) {
        Shape shape = node.shape(0);
        for (int place = 1; place < node.inputs(); place++) {
            shape = Shape.broadcast(node.op(), shape, node.shape(place));
        }
        LongBinaryOperator known = ARITHMETIC.get(node.op());
        if (known == null || node.inputs() != 2 || shape.elements() > Inferred.MAX_CONTENT || shape.rank() > 1) {
            return Inferred.of(dtype, shape);
        }
        long[] left = node.input(0).content();
        long[] right = node.input(1).content();
        if (left == null || right == null) {
            return Inferred.of(dtype, shape);
        }
        long[] content = new long[(int) shape.elements()];
        for (int index = 0; index < content.length; index++) {
            content[index] =
                    known.applyAsLong(left[left.length == 1 ? 0 : index], right[right.length == 1 ? 0 : index]);
        }
        return Inferred.of(dtype, shape, content);
    }

    private static Inferred where(NodeView node) {
        Shape shape =
                Shape.broadcast(node.op(), Shape.broadcast(node.op(), node.shape(0), node.shape(1)), node.shape(2));
        long[] condition = node.input(0).content();
        long[] yes = node.input(1).content();
        long[] no = node.input(2).content();
        boolean isKnown = condition != null && yes != null && no != null && shape.rank() <= 1;
        if (!isKnown || shape.elements() > Inferred.MAX_CONTENT) {
            return Inferred.of(node.dtype(1), shape);
        }
        long[] content = new long[(int) shape.elements()];
        for (int index = 0; index < content.length; index++) {
            long[] chosen = condition[condition.length == 1 ? 0 : index] != 0 ? yes : no;
            content[index] = chosen[chosen.length == 1 ? 0 : index];
        }
        return Inferred.of(node.dtype(1), shape, content);
    }

    private static Inferred cast(NodeView node, DType dtype) {
        long[] content = node.input(0).content();
        boolean isWhole = content != null && (dtype == DType.INT64 || dtype == DType.INT32);
        return Inferred.of(dtype, node.shape(0), isWhole ? content : null);
    }
}
