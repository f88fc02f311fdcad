package dev.outpost.onnx.graph;

import dev.outpost.onnx.graph.NodeView.Unknown;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Infers outputs of operators that compute an element from several elements: products, windows, reductions, recurrent
 * layers.
 */
final class FoldingRules {
    private static final List<String> REDUCE = List.of(
            "ReduceSum",
            "ReduceMean",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceL1",
            "ReduceL2",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceSumSquare");

    private FoldingRules() {}

    static void addTo(Map<String, ShapeRule> rules) {
        REDUCE.forEach(op -> rules.put(op, node -> List.of(reduce(node))));
        rules.put("ArgMax", node -> List.of(argReduce(node)));
        rules.put("ArgMin", node -> List.of(argReduce(node)));
        rules.put("TopK", FoldingRules::topK);
        rules.put("MatMul", node -> List.of(Inferred.of(node.dtype(0), matmul(node.shape(0), node.shape(1)))));
        rules.put("MatMulInteger", node -> List.of(Inferred.of(DType.INT32, matmul(node.shape(0), node.shape(1)))));
        rules.put("QLinearMatMul", node -> List.of(Inferred.of(node.dtype(7), matmul(node.shape(0), node.shape(3)))));
        rules.put("Gemm", node -> List.of(gemm(node)));
        rules.put("Einsum", node -> List.of(einsum(node)));
        rules.put("Conv", node -> List.of(Inferred.of(node.dtype(0), conv(node, node.shape(0), node.shape(1)))));
        rules.put("ConvInteger", node -> List.of(Inferred.of(DType.INT32, conv(node, node.shape(0), node.shape(1)))));
        rules.put("QLinearConv", node -> List.of(Inferred.of(node.dtype(7), conv(node, node.shape(0), node.shape(3)))));
        rules.put("ConvTranspose", node -> List.of(convTranspose(node)));
        for (String op : List.of("MaxPool", "AveragePool", "LpPool")) {
            rules.put(op, FoldingRules::pool);
        }
        for (String op : List.of("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")) {
            rules.put(op, node -> List.of(globalPool(node)));
        }
        for (String op : List.of("LSTM", "GRU", "RNN")) {
            rules.put(op, FoldingRules::recurrent);
        }
    }

    // ---- reductions

    private static Inferred reduce(NodeView node) {
        Shape from = node.shape(0);
        boolean keeps = node.integer("keepdims", 1) != 0;
        Set<Integer> axes = new HashSet<>();
        for (long axis : node.list("axes", 1).orElse(new long[0])) {
            axes.add(NodeView.axis(axis, from.rank()));
        }
        if (axes.isEmpty() && node.integer("noop_with_empty_axes", 0) != 0) {
            return node.input(0);
        }
        boolean isAll = axes.isEmpty();
        List<Long> sizes = new ArrayList<>();
        for (int dim = 0; dim < from.rank(); dim++) {
            if (!isAll && !axes.contains(dim)) {
                sizes.add(from.size(dim));
            } else if (keeps) {
                sizes.add(1L);
            }
        }
        return Inferred.of(node.dtype(0), shape(sizes), folded(node, sizes.size()));
    }

    private static long[] folded(NodeView node, int rank) {
        long[] content = node.input(0).content();
        if (content == null || rank > 1) {
            return null;
        }
        return switch (node.op()) {
            case "ReduceSum" -> new long[] {Arrays.stream(content).sum()};
            case "ReduceProd" -> new long[] {Arrays.stream(content).reduce(1, (a, b) -> a * b)};
            case "ReduceMax" -> new long[] {Arrays.stream(content).max().orElseThrow(Unknown::new)};
            case "ReduceMin" -> new long[] {Arrays.stream(content).min().orElseThrow(Unknown::new)};
            default -> null;
        };
    }

    private static Inferred argReduce(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        int axis = NodeView.axis(node.integer("axis", 0), sizes.length);
        sizes[axis] = 1;
        long[] kept = node.integer("keepdims", 1) != 0
                ? sizes
                : LongStream.range(0, sizes.length)
                        .filter(dim -> dim != axis)
                        .map(dim -> sizes[(int) dim])
                        .toArray();
        return Inferred.of(DType.INT64, MovingRules.shape(kept));
    }

    private static List<Inferred> topK(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        sizes[NodeView.axis(node.integer("axis", -1), sizes.length)] =
                node.hasInput(1) ? node.content(1)[0] : node.integer("k", -1);
        Shape shape = MovingRules.shape(sizes);
        return List.of(Inferred.of(node.dtype(0), shape), Inferred.of(DType.INT64, shape));
    }

    private static Shape shape(List<Long> sizes) {
        return MovingRules.shape(sizes.stream().mapToLong(Long::longValue).toArray());
    }

    // ---- products

    private static Shape matmul(Shape left, Shape right) {
        boolean isRow = left.rank() == 1;
        boolean isColumn = right.rank() == 1;
        Shape a = isRow ? Shape.of(1, left.size(0)) : left;
        Shape b = isColumn ? Shape.of(right.size(0), 1) : right;
        if (a.size(a.rank() - 1) != b.size(b.rank() - 2)) {
            throw new Unknown();
        }
        Shape batch = Shape.broadcast("MatMul", head(a), head(b));
        List<Long> sizes =
                new ArrayList<>(Arrays.stream(batch.toArray()).boxed().toList());
        if (!isRow) {
            sizes.add(a.size(a.rank() - 2));
        }
        if (!isColumn) {
            sizes.add(b.size(b.rank() - 1));
        }
        return shape(sizes);
    }

    private static Shape head(Shape shape) {
        return Shape.of(Arrays.copyOf(shape.toArray(), shape.rank() - 2));
    }

    private static Inferred gemm(NodeView node) {
        Shape a = node.shape(0);
        Shape b = node.shape(1);
        return Inferred.of(
                node.dtype(0),
                Shape.of(
                        a.size(node.integer("transA", 0) != 0 ? 1 : 0),
                        b.size(node.integer("transB", 0) != 0 ? 0 : 1)));
    }

    private static Inferred einsum(NodeView node) {
        String equation = node.text("equation", "").replace(" ", "");
        String[] sides = equation.split("->", -1);
        String[] operands = sides[0].split(",", -1);
        if (sides.length != 2 || equation.contains(".") || operands.length != node.inputs()) {
            throw new Unknown();
        }
        List<Long> sizes = new ArrayList<>();
        for (char letter : sides[1].toCharArray()) {
            sizes.add(sizeOf(letter, operands, node));
        }
        return Inferred.of(node.dtype(0), shape(sizes));
    }

    private static long sizeOf(char letter, String[] operands, NodeView node) {
        for (int place = 0; place < operands.length; place++) {
            int dim = operands[place].indexOf(letter);
            if (dim >= 0 && node.shape(place).size(dim) != 1) {
                return node.shape(place).size(dim);
            }
        }
        return 1;
    }

    // ---- windows

    private static Shape conv(NodeView node, Shape input, Shape weight) {
        long[] kernel = Arrays.copyOfRange(weight.toArray(), 2, weight.rank());
        return slid(node, input, weight.size(0), kernel, false);
    }

    private static Shape slid(NodeView node, Shape input, long channels, long[] kernel, boolean mayCeil) {
        int plane = input.rank() - 2;
        long[] strides = node.ints("strides").orElseGet(() -> filled(plane, 1));
        long[] dilations = node.ints("dilations").orElseGet(() -> filled(plane, 1));
        long[] pads = node.ints("pads").orElseGet(() -> filled(2 * plane, 0));
        String auto = node.text("auto_pad", "NOTSET");
        boolean isCeil = mayCeil && node.integer("ceil_mode", 0) != 0;
        long[] sizes = new long[input.rank()];
        sizes[0] = input.size(0);
        sizes[1] = channels;
        for (int dim = 0; dim < plane; dim++) {
            long size = input.size(dim + 2);
            long reach = (kernel[dim] - 1) * dilations[dim] + 1;
            long padding = auto.equals("VALID") ? 0 : pads[dim] + pads[dim + plane];
            long room = size + padding - reach;
            sizes[dim + 2] = auto.startsWith("SAME")
                    ? (size + strides[dim] - 1) / strides[dim]
                    : (isCeil ? ceiled(room, strides[dim], size, pads[dim]) : Math.floorDiv(room, strides[dim])) + 1;
        }
        return MovingRules.shape(sizes);
    }

    /**
     * Returns the number of steps of a window, rounded up, so that the last window does not begin in the padding at
     * the end.
     */
    private static long ceiled(long room, long stride, long size, long padding) {
        long steps = Math.ceilDiv(room, stride);
        return steps * stride >= size + padding ? steps - 1 : steps;
    }

    private static long[] filled(int count, long value) {
        long[] filled = new long[count];
        Arrays.fill(filled, value);
        return filled;
    }

    private static Inferred convTranspose(NodeView node) {
        Shape input = node.shape(0);
        Shape weight = node.shape(1);
        int plane = input.rank() - 2;
        if (node.has("output_shape") || !node.text("auto_pad", "NOTSET").equals("NOTSET")) {
            throw new Unknown();
        }
        long[] strides = node.ints("strides").orElseGet(() -> filled(plane, 1));
        long[] dilations = node.ints("dilations").orElseGet(() -> filled(plane, 1));
        long[] pads = node.ints("pads").orElseGet(() -> filled(2 * plane, 0));
        long[] more = node.ints("output_padding").orElseGet(() -> filled(plane, 0));
        long[] sizes = new long[input.rank()];
        sizes[0] = input.size(0);
        sizes[1] = weight.size(1) * node.integer("group", 1);
        for (int dim = 0; dim < plane; dim++) {
            sizes[dim + 2] = strides[dim] * (input.size(dim + 2) - 1)
                    + more[dim]
                    + (weight.size(dim + 2) - 1) * dilations[dim]
                    + 1
                    - pads[dim]
                    - pads[dim + plane];
        }
        return Inferred.of(node.dtype(0), MovingRules.shape(sizes));
    }

    private static List<Inferred> pool(NodeView node) {
        Shape input = node.shape(0);
        long[] kernel = node.ints("kernel_shape").orElseThrow(Unknown::new);
        Shape shape = slid(node, input, input.size(1), kernel, true);
        return List.of(Inferred.of(node.dtype(0), shape), Inferred.of(DType.INT64, shape));
    }

    private static Inferred globalPool(NodeView node) {
        long[] sizes = node.shape(0).toArray();
        Arrays.fill(sizes, 2, sizes.length, 1);
        return Inferred.of(node.dtype(0), Shape.of(sizes));
    }

    // ---- recurrent layers

    private static List<Inferred> recurrent(NodeView node) {
        Shape input = node.shape(0);
        Shape weight = node.shape(1);
        if (node.integer("layout", 0) != 0) {
            throw new Unknown();
        }
        long directions = weight.size(0);
        long hidden = node.integer("hidden_size", node.shape(2).size(2));
        Shape all = Shape.of(input.size(0), directions, input.size(1), hidden);
        Shape last = Shape.of(directions, input.size(1), hidden);
        DType dtype = node.dtype(0);
        return List.of(Inferred.of(dtype, all), Inferred.of(dtype, last), Inferred.of(dtype, last));
    }
}
