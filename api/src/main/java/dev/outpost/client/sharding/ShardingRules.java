package dev.outpost.client.sharding;

import static dev.outpost.client.sharding.Strategy.SUMMANDS;
import static dev.outpost.client.sharding.Strategy.WHOLE;
import static dev.outpost.client.sharding.Strategy.each;
import static dev.outpost.client.sharding.Strategy.parts;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of rules by which several members compute an op. Without a rule, every member computes the op from whole operands, which is
 * always right. Views, writes through views, data from outside and updates are rewritten elsewhere ({@link SpmdRewrite}).
 */
final class ShardingRules {
    private ShardingRules() {}

    /** Returns the ways to compute an instruction, in addition to computing it completely on every member. */
    static List<Strategy> of(Instruction instruction) {
        return switch (instruction.op()) {
            case Unary unary -> elementwise(instruction, unary == Unary.NEG || unary == Unary.COPY);
            case Binary binary -> binary(instruction, binary);
            case Ternary ternary -> elementwise(instruction, false);
            case Cast cast -> elementwise(instruction, false);
            case IndexCheck check -> elementwise(instruction, false);
            case Reduce reduce -> reduce(instruction, reduce);
            case ArgReduce reduce -> alongOthers(instruction, reduce.axis(), reduce.keepDims());
            case Cumulative cumulative -> alongOthers(instruction, cumulative.axis(), true);
            case Sort sort -> alongOthers(instruction, sort.axis(), true);
            case Matmul matmul -> matmul(instruction);
            // The product is cut by rows or by outputs; codes, scales and zero points have the outputs as their first
            // dimension.
            case QuantizedMatmul matmul ->
                List.of(
                        new Strategy(parts(0, WHOLE, WHOLE, WHOLE), parts(0)),
                        new Strategy(parts(WHOLE, 0, 0, 0), parts(1)));
            // The product is cut by rows or by outputs; each member then has a term of the sum over the outputs.
            case QuantizedMatmulInput matmul ->
                List.of(
                        new Strategy(parts(0, WHOLE, WHOLE, WHOLE), parts(0)),
                        new Strategy(parts(1, 0, 0, 0), parts(SUMMANDS)));
            case Gather gather -> gather(instruction, gather.axis());
            case IndexSelect select -> indexSelect(instruction, select.axis());
            case Scatter scatter -> scatter(instruction, scatter.axis());
            case IndexWrite write -> indexWrite(instruction, write.axis());
            case Concat concat -> concat(instruction, concat.axis());
            case Convolution convolution -> convolution(convolution);
            case MaxPool pool -> List.of(new Strategy(parts(0), each(instruction.resultCount(), 0)));
            case Attention attention -> attention(instruction);
            case AttentionGradient gradient -> attention(instruction);
            case StridedWrite write -> List.of();
            case PlacementOp placement -> List.of();
            case Factorization factorization -> List.of();
            case PagedAttention attention -> List.of();
            case Nonzero nonzero -> List.of();
            // Created values need no rule: CreationRewrite lets each member compute its part.
            case Fill fill -> List.of();
            case Arange arange -> List.of();
            case Random random -> List.of();
        };
    }

    private static Shape operand(Instruction instruction, int position) {
        return instruction.operandType(position).shape();
    }

    private static Shape result(Instruction instruction) {
        return instruction.resultType(0).shape();
    }

    private static boolean isNumber(Instruction instruction, int position) {
        return instruction.operand(position) == Instruction.IMMEDIATE;
    }

    private static List<Strategy> elementwise(Instruction instruction, boolean isLinear) {
        List<Strategy> ways = new ArrayList<>();
        Shape result = result(instruction);
        for (int dim = 0; dim < result.rank(); dim++) {
            int[] operands = new int[instruction.operandCount()];
            for (int position = 0; position < operands.length; position++) {
                operands[position] = isNumber(instruction, position)
                        ? WHOLE
                        : broadcastDim(operand(instruction, position), result, dim);
            }
            ways.add(new Strategy(operands, parts(dim)));
        }
        if (isLinear) {
            ways.add(new Strategy(parts(SUMMANDS), parts(SUMMANDS)));
        }
        return ways;
    }

    /** Returns the dimension of an operand that corresponds to the result's dimension; WHOLE if the operand is repeated along it. */
    static int broadcastDim(Shape operand, Shape result, int dim) {
        int own = dim - (result.rank() - operand.rank());
        return own >= 0 && operand.size(own) == result.size(dim) ? own : WHOLE;
    }

    /** Adds the ways with partial sums: adding partial sums gives a partial sum of the result, and so does multiplying one by a factor. */
    private static List<Strategy> binary(Instruction instruction, Binary op) {
        List<Strategy> ways = elementwise(instruction, false);
        boolean isNumeric = instruction.resultType(0).dtype().isFloating();
        if (!isNumeric) {
            return ways;
        }
        switch (op) {
            case ADD, SUB -> {
                boolean haveOneShape = !isNumber(instruction, 0)
                        && !isNumber(instruction, 1)
                        && operand(instruction, 0).equals(operand(instruction, 1));
                if (haveOneShape) {
                    ways.add(new Strategy(parts(SUMMANDS, SUMMANDS), parts(SUMMANDS)));
                }
            }
            case MUL -> {
                ways.add(new Strategy(parts(SUMMANDS, WHOLE), parts(SUMMANDS)));
                ways.add(new Strategy(parts(WHOLE, SUMMANDS), parts(SUMMANDS)));
            }
            case DIV -> ways.add(new Strategy(parts(SUMMANDS, WHOLE), parts(SUMMANDS)));
            default -> {
                // The other ops are not linear.
            }
        }
        return ways;
    }

    private static List<Strategy> reduce(Instruction instruction, Reduce op) {
        List<Strategy> ways = new ArrayList<>();
        int left = 0;
        for (int dim = 0; dim < operand(instruction, 0).rank(); dim++) {
            if (!op.axes().contains(dim)) {
                ways.add(new Strategy(parts(dim), parts(op.keepDims() ? dim : left)));
                left++;
            } else if (op.fn() == Reduce.Fn.SUM) {
                ways.add(new Strategy(parts(dim), parts(SUMMANDS)));
            }
        }
        if (op.fn() == Reduce.Fn.SUM) {
            ways.add(new Strategy(parts(SUMMANDS), parts(SUMMANDS)));
        }
        return ways;
    }

    /** Returns the ways that cut any dimension except one, which stays whole or is removed by the op. */
    private static List<Strategy> alongOthers(Instruction instruction, int axis, boolean keepsAxis) {
        List<Strategy> ways = new ArrayList<>();
        for (int dim = 0; dim < operand(instruction, 0).rank(); dim++) {
            if (dim != axis) {
                int result = keepsAxis || dim < axis ? dim : dim - 1;
                ways.add(new Strategy(parts(dim), each(instruction.resultCount(), result)));
            }
        }
        return ways;
    }

    private static List<Strategy> matmul(Instruction instruction) {
        int rows = operand(instruction, 0).rank() - 2;
        List<Strategy> ways = new ArrayList<>();
        if (rows == 1) {
            ways.add(new Strategy(parts(0, 0), parts(0)));
        }
        ways.add(new Strategy(parts(rows, WHOLE), parts(rows)));
        ways.add(new Strategy(parts(WHOLE, rows + 1), parts(rows + 1)));
        ways.add(new Strategy(parts(rows + 1, rows), parts(SUMMANDS)));
        ways.add(new Strategy(parts(SUMMANDS, WHOLE), parts(SUMMANDS)));
        ways.add(new Strategy(parts(WHOLE, SUMMANDS), parts(SUMMANDS)));
        return ways;
    }

    /** Returns the ways of a gather, whose index has the result's shape. */
    private static List<Strategy> gather(Instruction instruction, int axis) {
        List<Strategy> ways = new ArrayList<>();
        Shape values = operand(instruction, 0);
        Shape index = operand(instruction, 1);
        for (int dim = 0; dim < index.rank(); dim++) {
            if (dim == axis) {
                ways.add(new Strategy(parts(WHOLE, dim), parts(dim)));
            } else if (values.size(dim) == index.size(dim)) {
                ways.add(new Strategy(parts(dim, dim), parts(dim)));
            }
        }
        return ways;
    }

    private static List<Strategy> indexSelect(Instruction instruction, int axis) {
        List<Strategy> ways = new ArrayList<>();
        for (int dim = 0; dim < operand(instruction, 0).rank(); dim++) {
            ways.add(
                    dim == axis
                            ? new Strategy(parts(WHOLE, 0), parts(axis))
                            : new Strategy(parts(dim, WHOLE), parts(dim)));
        }
        return ways;
    }

    private static List<Strategy> scatter(Instruction instruction, int axis) {
        List<Strategy> ways = new ArrayList<>();
        Shape base = operand(instruction, 0);
        Shape index = operand(instruction, 1);
        Shape source = operand(instruction, 2);
        for (int dim = 0; dim < base.rank(); dim++) {
            if (dim != axis && base.size(dim) == index.size(dim) && base.size(dim) == source.size(dim)) {
                ways.add(new Strategy(parts(dim, dim, dim), parts(dim)));
            }
        }
        return ways;
    }

    private static List<Strategy> indexWrite(Instruction instruction, int axis) {
        List<Strategy> ways = new ArrayList<>();
        Shape base = operand(instruction, 0);
        Shape source = operand(instruction, 2);
        for (int dim = 0; dim < base.rank() && source.rank() == base.rank(); dim++) {
            if (dim != axis && base.size(dim) == source.size(dim)) {
                ways.add(new Strategy(parts(dim, WHOLE, dim), parts(dim)));
            }
        }
        return ways;
    }

    private static List<Strategy> concat(Instruction instruction, int axis) {
        List<Strategy> ways = new ArrayList<>();
        int operands = instruction.operandCount();
        for (int dim = 0; dim < result(instruction).rank(); dim++) {
            if (dim != axis) {
                ways.add(new Strategy(each(operands, dim), parts(dim)));
            }
        }
        if (instruction.resultType(0).dtype().isFloating()) {
            ways.add(new Strategy(each(operands, SUMMANDS), parts(SUMMANDS)));
        }
        return ways;
    }

    private static List<Strategy> convolution(Convolution op) {
        return switch (op.fn()) {
            // images and weights -> maps
            case FORWARD ->
                withOutputs(op, new Strategy(parts(0, WHOLE), parts(0)), new Strategy(parts(WHOLE, 0), parts(1)));
            // weights and maps -> images
            case INPUT ->
                withOutputs(op, new Strategy(parts(WHOLE, 0), parts(0)), new Strategy(parts(0, 1), parts(SUMMANDS)));
            // images and maps -> weights
            case WEIGHT ->
                withOutputs(op, new Strategy(parts(0, 0), parts(SUMMANDS)), new Strategy(parts(WHOLE, 1), parts(0)));
        };
    }

    /** Adds the way that cuts output maps, if each map sees all channels. */
    private static List<Strategy> withOutputs(Convolution op, Strategy byImages, Strategy byMaps) {
        return op.groups() == 1 ? List.of(byImages, byMaps) : List.of(byImages);
    }

    /** Returns the ways of attention: by batch, and also by heads if each head has its own keys. */
    private static List<Strategy> attention(Instruction instruction) {
        List<Strategy> ways = new ArrayList<>();
        int operands = instruction.operandCount();
        Shape query = operand(instruction, 0);
        for (int dim = 0; dim < 2; dim++) {
            boolean isWhole = true;
            int[] needs = new int[operands];
            for (int position = 0; position < operands; position++) {
                Shape shape = operand(instruction, position);
                needs[position] = shape.size(dim) == query.size(dim) ? dim : WHOLE;
                isWhole &= needs[position] == dim || position >= 3 && shape.size(dim) == 1;
            }
            if (isWhole) {
                ways.add(new Strategy(needs, each(instruction.resultCount(), dim)));
            }
        }
        return ways;
    }
}
