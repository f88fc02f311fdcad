package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.Upload;
import dev.outpost.sharding.GroupCosts;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Estimates the time of recorded segments if their inputs are placed differently. It rewrites the segments for the placements, and adds up
 * the costs of the members' instructions and exchanges.
 */
public final class PlacementCost {
    private final List<RecordedSegment> segments;
    private final int size;
    private final GroupCosts costs;

    /** @param size the number of members of the group */
    public PlacementCost(List<RecordedSegment> segments, int size, GroupCosts costs) {
        this.segments = List.copyOf(segments);
        this.size = size;
        this.costs = costs;
    }

    /**
     * Returns the estimated seconds: the sum of the slowest member's time in each segment and the time of the
     * exchanges.
     *
     * @param placed the new placements of inputs, by id; the others keep theirs
     * @param data the placement of the program's data, by type
     */
    public double seconds(Map<Long, Sharding> placed, Function<TensorType, Sharding> data) {
        Map<Long, Sharding> known = new HashMap<>(placed);
        double seconds = 0;
        for (RecordedSegment segment : segments) {
            GroupProgram program = rewrite(segment, known, data);
            for (int output = 0; output < segment.outputs().length; output++) {
                known.put(segment.outputs()[output], program.outputs().get(output));
            }
            for (int input = 0; input < segment.inputs().length; input++) {
                long name = segment.inputs()[input];
                program.rebound().get(input).ifPresent(changed -> known.put(name, changed));
            }
            seconds += seconds(program);
        }
        return seconds;
    }

    private GroupProgram rewrite(
            RecordedSegment segment, Map<Long, Sharding> known, Function<TensorType, Sharding> data) {
        List<Sharding> inputs = IntStream.range(0, segment.inputs().length)
                .mapToObj(input -> known.getOrDefault(
                        segment.inputs()[input], segment.placed().get(input)))
                .toList();
        Map<Long, Sharding> uploads = new HashMap<>();
        for (Instruction instruction : segment.graph().instructions()) {
            if (instruction.op() instanceof Upload upload) {
                uploads.put(upload.upload(), data.apply(upload.type()));
            }
        }
        return SpmdRewrite.rewrite(
                segment.graph(), segment.signals(), inputs, size, uploads::get, new CountedExchanges());
    }

    private double seconds(GroupProgram program) {
        double slowest = 0;
        for (MemberProgram member : program.members()) {
            slowest = Math.max(slowest, compute(member.graph()));
        }
        double exchanged = 0;
        for (GroupExchange exchange : program.exchanges()) {
            exchanged += costs.exchange(exchange);
        }
        return slowest + exchanged;
    }

    private double compute(Graph graph) {
        double seconds = 0;
        for (Instruction instruction : graph.instructions()) {
            seconds += switch (instruction.op()) {
                case Matmul product -> costs.product(multiplications(instruction));
                case PlacementOp placement -> 0;
                default -> costs.elementwise(bytes(instruction));
            };
        }
        return seconds;
    }

    private static long multiplications(Instruction product) {
        long[] left = product.operandType(0).shape().toArray();
        return product.resultType(0).shape().elements() * left[left.length - 1];
    }

    private static long bytes(Instruction instruction) {
        long bytes = 0;
        for (int position = 0; position < instruction.resultCount(); position++) {
            bytes += instruction.resultType(position).bytes();
        }
        return bytes;
    }
}
