package dev.outpost.client.sharding;

import static dev.outpost.client.sharding.Strategy.SUMMANDS;
import static dev.outpost.client.sharding.Strategy.WHOLE;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes how some workers compute an instruction. A choice moves the fewest bytes. Among such choices the first
 * one is taken that creates the fewest bytes of {@linkplain CreationRewrite created values} in a placement other than
 * the intended one.
 *
 * @param split the positions at which dimensions are cut; null if none is
 * @param isFallback true if operands are gathered because no strategy accepts their placements
 */
record StrategyChoice(Strategy strategy, Split split, List<Integer> workers, boolean isFallback)
        implements InstructionSharding {
    private static final long IMPOSSIBLE = Long.MAX_VALUE / 1024;

    /** @param operands the operands; null for a number */
    static StrategyChoice of(Instruction instruction, ValuePlacements[] operands, List<Integer> workers) {
        Strategy whole = Strategy.whole(instruction.operandCount(), instruction.resultCount());
        StrategyChoice best = new StrategyChoice(whole, null, workers, false);
        long min = best.bytes(instruction, operands);
        long minRemade = best.remade(operands);
        boolean gathers = min > 0;
        if (workers.size() == 1) {
            return best;
        }
        for (Strategy strategy : ShardingRules.of(instruction)) {
            for (StrategyChoice choice : cut(strategy, operands, workers)) {
                long bytes = choice.bytes(instruction, operands);
                long remade = choice.remade(operands);
                boolean isPreferred = remade < minRemade || best.strategy == whole && gathers;
                boolean isBetter = bytes < min || bytes == min && isPreferred;
                if (isBetter && choice.isAccepted(instruction)) {
                    best = choice;
                    min = bytes;
                    minRemade = remade;
                }
            }
        }
        boolean isCutAnywhere = isAnyCut(operands);
        return best.strategy == whole && isCutAnywhere && gathers
                ? new StrategyChoice(whole, null, workers, true)
                : best;
    }

    private static boolean isAnyCut(ValuePlacements[] operands) {
        for (ValuePlacements placements : operands) {
            boolean isCut = placements != null
                    && !placements.isCreated()
                    && placements.sharding().placement() instanceof Placement.Shard;
            if (isCut) {
                return true;
            }
        }
        return false;
    }

    /** Returns a strategy with each of the cuts that its operands have. */
    private static List<StrategyChoice> cut(Strategy strategy, ValuePlacements[] operands, List<Integer> workers) {
        List<StrategyChoice> choices = new ArrayList<>();
        if (!strategy.isCut()) {
            choices.add(new StrategyChoice(strategy, null, workers, false));
            return choices;
        }
        List<Split> tried = new ArrayList<>();
        for (int position = 0; position < operands.length; position++) {
            if (strategy.operands()[position] < 0 || operands[position] == null) {
                continue;
            }
            for (Sharding sharding : operands[position].placements()) {
                boolean fits = sharding.workers().equals(workers)
                        && sharding.placement() instanceof Placement.Shard(Split split)
                        && split.dim() == strategy.operands()[position]
                        && !tried.contains(split.in(0));
                if (fits) {
                    Split split =
                            ((Placement.Shard) sharding.placement()).split().in(0);
                    tried.add(split);
                    choices.add(new StrategyChoice(strategy, split, workers, false));
                }
            }
        }
        return choices;
    }

    @Override
    public Sharding operand(int position) {
        return sharding(strategy.operands()[position]);
    }

    @Override
    public Sharding result(int position) {
        return sharding(strategy.results()[position]);
    }

    private Sharding sharding(int part) {
        Placement placement = switch (part) {
            case WHOLE -> Placement.REPLICATE;
            case SUMMANDS -> Placement.PARTIAL;
            default -> new Placement.Shard(split.in(part));
        };
        return new Sharding(workers, placement);
    }

    // ---- costs

    private long bytes(Instruction instruction, ValuePlacements[] operands) {
        long bytes = 0;
        long summands = 0;
        for (int position = 0; position < operands.length; position++) {
            if (operands[position] == null && strategy.operands()[position] != WHOLE) {
                return IMPOSSIBLE;
            }
            if (operands[position] != null) {
                bytes = Math.min(IMPOSSIBLE, bytes + cheapest(operands[position], operand(position)));
                summands += strategy.operands()[position] == SUMMANDS
                        ? operands[position].type().bytes()
                        : 0;
            }
        }
        // A partial sum can be taken later, when it may have more elements.
        if (summands > 0) {
            bytes += Math.max(0, 2 * (instruction.resultType(0).bytes() - summands));
        }
        return bytes;
    }

    /** Returns the bytes of created operands that this strategy needs in a placement other than the intended one. */
    private long remade(ValuePlacements[] operands) {
        long bytes = 0;
        for (int position = 0; position < operands.length; position++) {
            ValuePlacements placements = operands[position];
            boolean isRemade = placements != null
                    && placements.isCreated()
                    && !placements.sharding().equals(operand(position));
            bytes += isRemade ? placements.type().bytes() : 0;
        }
        return bytes;
    }

    private static long cheapest(ValuePlacements placements, Sharding wanted) {
        if (placements.isCreated()) {
            return wanted.isDue() ? IMPOSSIBLE : 0;
        }
        long min = IMPOSSIBLE;
        for (ShardedValue shardedValue : placements.all()) {
            min = Math.min(
                    min,
                    bytes(shardedValue.sharding(), wanted, placements.type().bytes()));
        }
        return min;
    }

    private static long bytes(Sharding has, Sharding wanted, long bytes) {
        if (has.equals(wanted)) {
            return 0;
        }
        if (wanted.isPartial()) {
            return IMPOSSIBLE;
        }
        if (has.isReplicated() && has.workers().containsAll(wanted.workers())) {
            return 0;
        }
        long toWhole = has.isPartial() ? 2 * bytes : has.isReplicated() ? 0 : bytes;
        if (has.workers().equals(wanted.workers())) {
            return wanted.isReplicated() ? toWhole : bytes;
        }
        long missing = wanted.workers().stream()
                .filter(rank -> !has.workers().contains(rank))
                .count();
        return toWhole + missing * bytes;
    }

    // ---- possible choices

    /** Returns true if the op accepts the parts of every worker. */
    private boolean isAccepted(Instruction instruction) {
        for (int rank : workers) {
            TensorType[] parts = new TensorType[instruction.operandCount()];
            for (int position = 0; position < parts.length; position++) {
                TensorType type = instruction.operandType(position);
                boolean isNumber = instruction.operand(position) == Instruction.IMMEDIATE;
                Shape shape = isNumber ? type.shape() : operand(position).partOf(type.shape(), rank);
                parts[position] = new TensorType(type.dtype(), shape);
            }
            if (!SpmdRewrite.accepts(instruction.op(), parts)) {
                return false;
            }
        }
        return true;
    }
}
