package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.States;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * torch.einsum. Every dimension has a label. The operands are contracted from left to right, and a label is summed as
 * soon as neither a later operand nor the output needs it.
 */
public final class Einsum {
    /** An operand with distinct labels for its dimensions. */
    private record Labelled(Tensor tensor, List<Integer> labels) {}

    private final EinsumEquation equation;
    private final Tensor[] operands;
    private final Map<Integer, Long> sizes = new HashMap<>();

    private Einsum(EinsumEquation equation, Tensor[] operands) {
        this.equation = equation;
        this.operands = operands;
    }

    public static Tensor compute(String text, Tensor... operands) {
        return new Einsum(
                        EinsumEquation.parse(
                                text, Arrays.stream(operands).map(Tensor::shape).toArray(Shape[]::new)),
                        operands)
                .compute();
    }

    private Tensor compute() {
        for (int index = 0; index < operands.length; index++) {
            gatherSizes(index);
        }
        Labelled result = labelled(0);
        for (int next = 1; next < operands.length; next++) {
            result = join(result, labelled(next), next + 1);
        }
        return output(summed(result, equation.output()));
    }

    private void gatherSizes(int operand) {
        List<Integer> labels = equation.inputs().get(operand);
        for (int dim = 0; dim < labels.size(); dim++) {
            long size = operands[operand].size(dim);
            Long known = sizes.putIfAbsent(labels.get(dim), size);
            if (known == null || known == size || size == 1) {
                continue;
            }
            if (known != 1) {
                throw equation.problem("label " + EinsumEquation.name(labels.get(dim)) + " has two sizes, got " + known
                        + " and " + size);
            }
            sizes.put(labels.get(dim), size);
        }
    }

    /** Returns the operand with diagonals for repeated labels, and without unneeded dimensions of size 1. */
    private Labelled labelled(int operand) {
        Tensor tensor = operands[operand];
        List<Integer> labels = new ArrayList<>();
        List<Long> kept = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        for (int dim = 0; dim < tensor.dim(); dim++) {
            int label = equation.inputs().get(operand).get(dim);
            if (tensor.size(dim) == 1 && isDropped(label)) {
                continue;
            }
            int seen = labels.indexOf(label);
            if (seen >= 0) {
                strides.set(seen, strides.get(seen) + tensor.stride(dim));
                continue;
            }
            labels.add(label);
            kept.add(tensor.size(dim));
            strides.add(tensor.stride(dim));
        }
        Layout layout = Layout.of(
                Shape.of(toArray(kept)), toArray(strides), States.layout(tensor).offset());
        return new Labelled(States.view(tensor, layout), labels);
    }

    /**
     * True for labels that broadcast and, with several operands, for labels of size 1. They are dropped, because a sum would turn
     * integers into int64.
     */
    private boolean isDropped(int label) {
        return sizes.get(label) != 1
                || operands.length > 1 && !equation.output().contains(label);
    }

    private Labelled join(Labelled left, Labelled right, int following) {
        List<Integer> needed = neededFrom(following);
        Labelled a = summed(left, union(needed, right.labels()));
        Labelled b = summed(right, union(needed, left.labels()));
        List<Integer> shared = common(a.labels(), b.labels());
        List<Integer> batch = common(shared, needed);
        List<Integer> contracted = without(shared, needed);
        List<Integer> leftOnly = without(a.labels(), shared);
        List<Integer> rightOnly = without(b.labels(), shared);
        List<Integer> labels = union(union(batch, leftOnly), rightOnly);
        Tensor product =
                contracted.isEmpty() ? multiply(a, b, labels) : contract(a, b, batch, leftOnly, contracted, rightOnly);
        a.tensor().close();
        b.tensor().close();
        return new Labelled(product, labels);
    }

    private Tensor contract(
            Labelled a,
            Labelled b,
            List<Integer> batch,
            List<Integer> leftOnly,
            List<Integer> contracted,
            List<Integer> rightOnly) {
        Contractions.requireSameDType("einsum", a.tensor(), b.tensor());
        Layout left = arranged(a, union(union(batch, leftOnly), contracted));
        Layout right = arranged(b, union(union(batch, contracted), rightOnly));
        Shape count = shapeOf(batch);
        Tensor leftMatrices = Contractions.arranged(
                a.tensor(), left, Contractions.matrices(count, elements(leftOnly), elements(contracted)));
        Tensor rightMatrices = Contractions.arranged(
                b.tensor(), right, Contractions.matrices(count, elements(contracted), elements(rightOnly)));
        return Contractions.product(leftMatrices, rightMatrices, shapeOf(union(union(batch, leftOnly), rightOnly)));
    }

    private Tensor multiply(Labelled a, Labelled b, List<Integer> labels) {
        try (Tensor left = States.view(a.tensor(), spread(a, labels));
                Tensor right = States.view(b.tensor(), spread(b, labels))) {
            return left.mul(right);
        }
    }

    /** Sums over labels that are not needed. Closes the operand's handle if it is replaced. */
    private static Labelled summed(Labelled operand, List<Integer> needed) {
        List<Integer> kept = common(operand.labels(), needed);
        if (kept.size() == operand.labels().size()) {
            return operand;
        }
        int[] dims = without(operand.labels(), kept).stream()
                .mapToInt(operand.labels()::indexOf)
                .toArray();
        Tensor sum = operand.tensor().sum(dims);
        operand.tensor().close();
        return new Labelled(sum, kept);
    }

    /** Returns the result with its dimensions in the order of the output labels. */
    private Tensor output(Labelled result) {
        Layout layout = arranged(result, common(equation.output(), result.labels()));
        Tensor output = States.view(result.tensor(), layout);
        result.tensor().close();
        return output;
    }

    private static Layout arranged(Labelled operand, List<Integer> order) {
        return States.layout(operand.tensor())
                .permute(order.stream().mapToInt(operand.labels()::indexOf).toArray());
    }

    /** Returns the operand's layout with a dimension of size 1 for every missing label. */
    private static Layout spread(Labelled operand, List<Integer> labels) {
        Layout layout = arranged(operand, common(labels, operand.labels()));
        for (int dim = 0; dim < labels.size(); dim++) {
            layout = operand.labels().contains(labels.get(dim)) ? layout : layout.unsqueeze(dim);
        }
        return layout;
    }

    private List<Integer> neededFrom(int operand) {
        List<Integer> needed = new ArrayList<>(equation.output());
        equation.inputs().subList(operand, operands.length).forEach(needed::addAll);
        return needed;
    }

    private long elements(List<Integer> labels) {
        return labels.stream().mapToLong(sizes::get).reduce(1, Math::multiplyExact);
    }

    private Shape shapeOf(List<Integer> labels) {
        return Shape.of(labels.stream().mapToLong(sizes::get).toArray());
    }

    private static long[] toArray(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private static List<Integer> union(List<Integer> first, List<Integer> second) {
        List<Integer> union = new ArrayList<>(first);
        union.addAll(without(second, first));
        return union;
    }

    private static List<Integer> common(List<Integer> first, List<Integer> second) {
        return first.stream().filter(second::contains).toList();
    }

    private static List<Integer> without(List<Integer> first, List<Integer> second) {
        return first.stream().filter(label -> !second.contains(label)).toList();
    }
}
