package dev.outpost.onnx.export;

import dev.outpost.onnx.graph.OnnxTypes;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Writes the nodes of each op. docs/onnx.md has the table of supported ops; others are refused by name. */
record InstructionRules(Instruction instruction, GraphWriter out) {
    private static final Map<Unary, String> UNARY = Map.ofEntries(
            Map.entry(Unary.COPY, "Identity"),
            Map.entry(Unary.NEG, "Neg"),
            Map.entry(Unary.ABS, "Abs"),
            Map.entry(Unary.SIGN, "Sign"),
            Map.entry(Unary.CEIL, "Ceil"),
            Map.entry(Unary.FLOOR, "Floor"),
            Map.entry(Unary.ROUND, "Round"),
            Map.entry(Unary.RELU, "Relu"),
            Map.entry(Unary.SQRT, "Sqrt"),
            Map.entry(Unary.EXP, "Exp"),
            Map.entry(Unary.LOG, "Log"),
            Map.entry(Unary.SIN, "Sin"),
            Map.entry(Unary.COS, "Cos"),
            Map.entry(Unary.TAN, "Tan"),
            Map.entry(Unary.ASIN, "Asin"),
            Map.entry(Unary.ACOS, "Acos"),
            Map.entry(Unary.ATAN, "Atan"),
            Map.entry(Unary.SINH, "Sinh"),
            Map.entry(Unary.COSH, "Cosh"),
            Map.entry(Unary.TANH, "Tanh"),
            Map.entry(Unary.ASINH, "Asinh"),
            Map.entry(Unary.ACOSH, "Acosh"),
            Map.entry(Unary.ATANH, "Atanh"),
            Map.entry(Unary.SIGMOID, "Sigmoid"),
            Map.entry(Unary.ERF, "Erf"),
            Map.entry(Unary.IS_NAN, "IsNaN"));

    private static final Map<Binary, String> BINARY = Map.ofEntries(
            Map.entry(Binary.ADD, "Add"),
            Map.entry(Binary.SUB, "Sub"),
            Map.entry(Binary.MUL, "Mul"),
            Map.entry(Binary.DIV, "Div"),
            Map.entry(Binary.POW, "Pow"),
            Map.entry(Binary.MAXIMUM, "Max"),
            Map.entry(Binary.MINIMUM, "Min"),
            Map.entry(Binary.EQ, "Equal"),
            Map.entry(Binary.LT, "Less"),
            Map.entry(Binary.LE, "LessOrEqual"),
            Map.entry(Binary.GT, "Greater"),
            Map.entry(Binary.GE, "GreaterOrEqual"));

    private static final Map<Reduce.Fn, String> REDUCE = Map.of(
            Reduce.Fn.SUM, "ReduceSum",
            Reduce.Fn.PROD, "ReduceProd",
            Reduce.Fn.MAX, "ReduceMax",
            Reduce.Fn.MIN, "ReduceMin");

    /** Adds the nodes of an instruction. Fails if it has no equivalent. */
    static void write(Instruction instruction, GraphWriter out) {
        out.define(instruction, new InstructionRules(instruction, out).written());
    }

    /** Returns the elementwise operations that map to one operator, by their names in graphs. */
    static Set<String> ofOneOperator() {
        return Stream.concat(
                        UNARY.keySet().stream().map(Unary::label),
                        BINARY.keySet().stream().map(Binary::label))
                .collect(Collectors.toSet());
    }

    private String written() {
        Op op = instruction.op();
        return switch (op) {
            case Unary unary -> unary(unary);
            case Binary binary -> binary(binary);
            case Ternary where -> out.node("Where", first(), second(), out.operand(instruction, 2));
            case Cast cast -> out.node("Cast", Attributes.of("to", OnnxTypes.number(cast.dtype())), first());
            case Matmul product -> out.node("MatMul", first(), second());
            case Reduce reduce -> reduce(reduce);
            case ArgReduce reduce -> argReduce(reduce);
            case AsStrided view -> view(view);
            case Concat concat ->
                out.node(
                        "Concat",
                        Attributes.of("axis", (long) concat.axis()),
                        IntStream.range(0, instruction.operandCount())
                                .mapToObj(operand -> out.operand(instruction, operand))
                                .toArray(String[]::new));
            case IndexSelect select ->
                out.node("Gather", Attributes.of("axis", (long) select.axis()), first(), second());
            case Gather gather ->
                out.node("GatherElements", Attributes.of("axis", (long) gather.axis()), first(), second());
            case Fill fill -> fill(fill.shape(), fill.value());
            case Literal literal -> out.constant(literal.type(), literal.elements());
            case Arange arange -> arange(arange);
            case Convolution convolution when convolution.fn() == Convolution.Fn.FORWARD -> convolution(convolution);
            case MaxPool pool -> maxPool(pool);
            default -> throw refused();
        };
    }

    private OnnxException refused() {
        return new OnnxException(
                "export: " + instruction.op().label() + " has no equivalent in ONNX's format that is known here");
    }

    private String first() {
        return out.operand(instruction, 0);
    }

    private String second() {
        return out.operand(instruction, 1);
    }

    // ---- elementwise

    private String unary(Unary op) {
        String operator = UNARY.get(op);
        if (operator != null) {
            return out.node(operator, first());
        }
        return switch (op) {
            case RSQRT -> out.node("Reciprocal", out.node("Sqrt", first()));
            case NOT -> {
                requireBool();
                yield out.node("Not", first());
            }
            case EXPM1 -> out.node("Sub", out.node("Exp", first()), one());
            case LOG1P -> out.node("Log", out.node("Add", first(), one()));
            case ERFC -> out.node("Sub", one(), out.node("Erf", first()));
            default -> throw refused();
        };
    }

    private String one() {
        return out.constant(Scalar.of(instruction.resultType(0).dtype(), 1.0));
    }

    private String binary(Binary op) {
        String operator = BINARY.get(op);
        if (operator != null) {
            return out.node(operator, first(), second());
        }
        return switch (op) {
            case NE -> out.node("Not", out.node("Equal", first(), second()));
            case AND -> logical("And");
            case OR -> logical("Or");
            case XOR -> logical("Xor");
            default -> throw refused();
        };
    }

    private String logical(String operator) {
        requireBool();
        return out.node(operator, first(), second());
    }

    private void requireBool() {
        if (instruction.resultType(0).dtype() != DType.BOOL) {
            throw refused();
        }
    }

    // ---- reductions

    private String reduce(Reduce reduce) {
        int rank = instruction.operandType(0).shape().rank();
        long[] axes = IntStream.range(0, rank)
                .filter(reduce.axes()::contains)
                .asLongStream()
                .toArray();
        if (axes.length == 0) {
            return out.node("Identity", first());
        }
        String operator = REDUCE.get(reduce.fn());
        Attributes keep = Attributes.of("keepdims", reduce.keepDims() ? 1L : 0L);
        // In this version of the operator set, only the sum takes its axes as an operand.
        return reduce.fn() == Reduce.Fn.SUM
                ? out.node(operator, keep, first(), out.constant(axes))
                : out.node(operator, keep.and("axes", axes), first());
    }

    private String argReduce(ArgReduce reduce) {
        return out.node(
                reduce.fn() == ArgReduce.Fn.ARGMAX ? "ArgMax" : "ArgMin",
                Attributes.of("axis", (long) reduce.axis()).andNumber("keepdims", reduce.keepDims() ? 1 : 0),
                first());
    }

    // ---- views and constants

    /** Writes a view by its strides: transpositions and broadcasts as such, and all others as a gather. */
    private String view(AsStrided view) {
        return StridedView.write(out, first(), instruction.operandType(0).shape(), view.layout());
    }

    private String fill(Shape shape, Scalar value) {
        return out.node("Expand", out.constant(value), out.constant(shape.toArray()));
    }

    private String arange(Arange arange) {
        String places = out.constant(LongStream.range(0, arange.length()).toArray());
        String numbers = out.node("Cast", Attributes.of("to", OnnxTypes.number(arange.dtype())), places);
        String steps = out.node("Mul", numbers, out.constant(arange.step()));
        return out.node("Add", steps, out.constant(arange.start()));
    }

    // ---- windows

    private String convolution(Convolution convolution) {
        Attributes attributes = Attributes.of(
                        "strides",
                        convolution.rows().stride(),
                        convolution.columns().stride())
                .and(
                        "pads",
                        pads(convolution.rows().padding(), convolution.columns().padding()))
                .and(
                        "dilations",
                        convolution.rows().dilation(),
                        convolution.columns().dilation())
                .andNumber("group", convolution.groups());
        String[] operands = IntStream.range(0, instruction.operandCount())
                .mapToObj(operand -> out.operand(instruction, operand))
                .toArray(String[]::new);
        return out.node("Conv", attributes, operands);
    }

    private static long[] pads(long rows, long columns) {
        return new long[] {rows, columns, rows, columns};
    }

    /** Writes the planes as a batch with one channel. Does not write the indices, which are the op's second result. */
    private String maxPool(MaxPool pool) {
        Attributes attributes = Attributes.of("kernel_shape", pool.window().toArray())
                .and("strides", pool.rows().stride(), pool.columns().stride())
                .and("pads", pads(pool.rows().padding(), pool.columns().padding()))
                .and("dilations", pool.rows().dilation(), pool.columns().dilation())
                .andNumber("ceil_mode", pool.ceil() ? 1 : 0);
        long[] planes = instruction.operandType(0).shape().toArray();
        long[] channels = LongStream.concat(
                        LongStream.of(planes[0], 1), Arrays.stream(planes).skip(1))
                .toArray();
        String pooled = out.node("MaxPool", attributes, out.node("Reshape", first(), out.constant(channels)));
        return out.node(
                "Reshape",
                pooled,
                out.constant(instruction.resultType(0).shape().toArray()));
    }
}
