package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decides whether each row of a graph's outputs depends only on the same row of its inputs. It cuts the graph by rows
 * over two members, like the programs of a group. Rows are independent if the members exchange nothing, have the
 * outputs by rows, and run the same instructions. Then a row depends neither on other rows nor on its position among
 * them.
 */
public final class RowIndependence {
    private static final List<Integer> HALVES = List.of(0, 1);

    private RowIndependence() {}

    /**
     * Returns true if rows are known to be independent. Returns false if no rule decides it.
     *
     * @param rows the inputs whose first dimension counts rows; the number of rows must be even
     * @param outputs the output values
     */
    public static boolean holds(Graph graph, Set<Integer> rows, List<Integer> outputs) {
        List<Sharding> inputs = IntStream.range(0, graph.structure().inputCount())
                .mapToObj(input -> rows.contains(input)
                        ? Sharding.even(HALVES, graph.type(input).shape(), 0)
                        : Sharding.replicated(HALVES.size()))
                .toList();
        try {
            GroupProgram cut =
                    SpmdRewrite.rewrite(graph, Map.of(), inputs, HALVES.size(), upload -> null, new CountedExchanges());
            return cut.exchanges().isEmpty()
                    && areByRows(graph, cut, inputs, outputs)
                    && isSame(cut.members().get(0).graph(), cut.members().get(1).graph());
        } catch (OutpostException failure) {
            if (failure.kind() == FaultKind.INTERNAL) {
                throw failure;
            }
            return false;
        }
    }

    private static boolean areByRows(Graph graph, GroupProgram cut, List<Sharding> inputs, List<Integer> outputs) {
        List<Integer> kept = kept(graph);
        return outputs.stream()
                .map(value -> value < inputs.size()
                        ? inputs.get(value)
                        : cut.outputs().get(kept.indexOf(value)))
                .allMatch(RowIndependence::isByRows);
    }

    private static List<Integer> kept(Graph graph) {
        List<Integer> kept = new ArrayList<>();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            if (graph.structure().isKept(result)) {
                kept.add(graph.structure().inputCount() + result);
            }
        }
        return kept;
    }

    private static boolean isByRows(Sharding placed) {
        return placed.workers().equals(HALVES)
                && placed.placement() instanceof Placement.Shard shard
                && shard.split().dim() == 0
                && shard.split().size(0) == shard.split().size(1);
    }

    private static boolean isSame(Graph one, Graph other) {
        List<Instruction> first = one.instructions();
        List<Instruction> second = other.instructions();
        return first.size() == second.size()
                && IntStream.range(0, first.size()).allMatch(index -> isSame(first.get(index), second.get(index)));
    }

    private static boolean isSame(Instruction one, Instruction other) {
        return one.op().equals(other.op())
                && one.operandCount() == other.operandCount()
                && IntStream.range(0, one.operandCount()).allMatch(position -> isSameOperand(one, other, position));
    }

    private static boolean isSameOperand(Instruction one, Instruction other, int position) {
        TensorType type = one.operandType(position);
        if (one.operand(position) != other.operand(position) || !type.equals(other.operandType(position))) {
            return false;
        }
        return one.operand(position) != Instruction.IMMEDIATE
                || one.immediate(position).equals(other.immediate(position));
    }
}
