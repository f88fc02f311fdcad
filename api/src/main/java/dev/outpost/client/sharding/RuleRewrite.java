package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Unary;
import dev.outpost.sharding.Placement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Rewrites ops that are computed by parts according to {@link ShardingRules}. If there are several ways, it takes the one that moves the
 * fewest bytes.
 */
final class RuleRewrite {
    private final int size;
    private final PlacedValues values;
    private final MemberBuilders members;
    private final Reshards reshards;
    private final Map<Integer, SignalPlacement> signals;
    private final SignalRewrite bySignal;

    /** @param signals the placement of each instruction that was recorded within a signal, by instruction */
    RuleRewrite(
            int size,
            PlacedValues values,
            MemberBuilders members,
            Reshards reshards,
            Map<Integer, SignalPlacement> signals) {
        this.size = size;
        this.values = values;
        this.members = members;
        this.reshards = reshards;
        this.signals = signals;
        this.bySignal = new SignalRewrite(values, members, reshards);
    }

    /**
     * Makes the workers of an instruction's signal compute it or, without a signal, the workers that have its
     * operands.
     */
    void compute(Instruction instruction) {
        SignalPlacement signal = signals.get(instruction.index());
        if (signal == null) {
            compute(instruction, values.operands(instruction), workersOf(instruction));
        } else if (signal.how() == SignalPlacement.How.COPY && instruction.op() == Unary.COPY) {
            bySignal.place(instruction, signal);
        } else {
            compute(instruction, bySignal.brought(instruction, signal), signal.workers());
        }
    }

    private void compute(Instruction instruction, ValuePlacements[] given, List<Integer> workers) {
        InstructionSharding choice = way(instruction, given, workers);
        ShardedValue[] operands = new ShardedValue[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            if (instruction.operand(position) != Instruction.IMMEDIATE) {
                operands[position] = reshards.to(given[position], choice.operand(position), choice.isFallback());
            }
        }
        int[][] results = members.none(instruction.resultCount());
        for (int rank : workers) {
            Instruction own = members.add(rank, instruction, instruction.op(), operands);
            for (int position = 0; position < results.length; position++) {
                results[position][rank] = own.result(position);
            }
        }
        for (int position = 0; position < results.length; position++) {
            values.define(instruction, position, new ShardedValue(choice.result(position), results[position]));
        }
    }

    /** Chooses how workers compute an instruction: on a mesh if an operand is on a mesh of these workers, else among all of them. */
    private static InstructionSharding way(Instruction instruction, ValuePlacements[] given, List<Integer> workers) {
        for (ValuePlacements placements : given) {
            boolean isOnMesh = placements != null
                    && placements.sharding().workers().equals(workers)
                    && placements.sharding().placement() instanceof Placement.OnMesh;
            if (isOnMesh) {
                Placement.OnMesh grid = (Placement.OnMesh) placements.sharding().placement();
                return MeshStrategyChoice.of(instruction, given, grid.mesh());
            }
        }
        return StrategyChoice.of(instruction, given, workers);
    }

    private List<List<Integer>> workers(Instruction instruction, Predicate<ValuePlacements> which) {
        return Arrays.stream(values.operands(instruction))
                .filter(placements -> placements != null && which.test(placements))
                .map(placements -> placements.sharding().workers())
                .distinct()
                .toList();
    }

    /** Returns the workers of the operands. If operands are on different workers, returns those to which the fewest bytes must move. */
    private List<Integer> workersOf(Instruction instruction) {
        List<List<Integer>> candidates = workers(instruction, placements -> !placements.isCreated());
        if (candidates.isEmpty()) {
            candidates = workers(instruction, placements -> true);
        }
        if (candidates.isEmpty()) {
            return IntStream.range(0, size).boxed().toList();
        }
        List<Integer> best = candidates.getFirst();
        long min = Long.MAX_VALUE;
        for (List<Integer> workers : candidates) {
            long bytes = 0;
            for (ValuePlacements placements : values.operands(instruction)) {
                bytes += placements == null ? 0 : placements.bytesToReach(workers);
            }
            boolean isNarrower = bytes == min && workers.size() < best.size();
            if (bytes < min || isNarrower) {
                best = workers;
                min = bytes;
            }
        }
        return best;
    }
}
