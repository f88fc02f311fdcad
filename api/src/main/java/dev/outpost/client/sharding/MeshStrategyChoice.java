package dev.outpost.client.sharding;

import static dev.outpost.client.sharding.Strategy.SUMMANDS;
import static dev.outpost.client.sharding.Strategy.WHOLE;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes how the workers of a mesh compute an instruction: along each axis by one strategy of the rules. The axes are decided one after
 * the other. Each takes the strategy that moves the fewest bytes along it. No dimension is cut along two axes.
 */
final class MeshStrategyChoice implements InstructionSharding {
    private static final long IMPOSSIBLE = Long.MAX_VALUE / 1024;

    private final Instruction instruction;
    private final ValuePlacements[] given;
    private final Mesh mesh;
    /** The choice for each axis. */
    private final List<Cut> cuts = new ArrayList<>();

    private boolean isFallback;

    /** @param split the positions at which the strategy's dimensions are cut; null if it cuts none */
    private record Cut(Strategy strategy, Split split) {
        Placement placement(int part) {
            return switch (part) {
                case WHOLE -> Placement.REPLICATE;
                case SUMMANDS -> Placement.PARTIAL;
                default -> new Placement.Shard(split.in(part));
            };
        }
    }

    private MeshStrategyChoice(Instruction instruction, ValuePlacements[] given, Mesh mesh) {
        this.instruction = instruction;
        this.given = given;
        this.mesh = mesh;
    }

    /** @param given the operands; null for a number */
    static MeshStrategyChoice of(Instruction instruction, ValuePlacements[] given, Mesh mesh) {
        MeshStrategyChoice way = new MeshStrategyChoice(instruction, given, mesh);
        Cut whole = new Cut(Strategy.whole(instruction.operandCount(), instruction.resultCount()), null);
        mesh.axes().keySet().forEach(axis -> way.cuts.add(whole));
        for (int axis = 0; axis < way.cuts.size(); axis++) {
            way.decide(axis, whole);
        }
        return way;
    }

    private void decide(int axis, Cut whole) {
        Cut best = whole;
        long min = bytes(whole, axis);
        long minRemade = remade(whole, axis);
        boolean gathers = min > 0;
        for (Strategy strategy : ShardingRules.of(instruction)) {
            for (Cut cut : cuts(strategy, axis)) {
                long bytes = bytes(cut, axis);
                long remade = remade(cut, axis);
                boolean isPreferred = remade < minRemade || best == whole && gathers;
                boolean isBetter = bytes < min || bytes == min && isPreferred;
                if (isBetter && isPossible(cut, axis)) {
                    best = cut;
                    min = bytes;
                    minRemade = remade;
                }
            }
        }
        cuts.set(axis, best);
        isFallback |= best == whole && gathers && isAnyCut(axis);
    }

    private boolean isAnyCut(int axis) {
        for (ValuePlacements placements : given) {
            boolean isCut = placements != null
                    && !placements.isCreated()
                    && along(placements.sharding(), axis) instanceof Placement.Shard;
            if (isCut) {
                return true;
            }
        }
        return false;
    }

    /** Returns a strategy with each of the cuts that its operands have along the axis. */
    private List<Cut> cuts(Strategy strategy, int axis) {
        List<Cut> found = new ArrayList<>();
        if (!strategy.isCut()) {
            found.add(new Cut(strategy, null));
            return found;
        }
        for (int position = 0; position < given.length; position++) {
            int wanted = strategy.operands()[position];
            if (wanted < 0 || given[position] == null) {
                continue;
            }
            for (Sharding sharding : given[position].placements()) {
                if (along(sharding, axis) instanceof Placement.Shard(Split split) && split.dim() == wanted) {
                    Cut cut = new Cut(strategy, split.in(0));
                    if (!found.contains(cut)) {
                        found.add(cut);
                    }
                }
            }
        }
        return found;
    }

    /** Returns the placement along an axis of the mesh. A value that is not on this mesh is gathered first. */
    private Placement along(Sharding sharding, int axis) {
        return sharding.placement() instanceof Placement.OnMesh grid
                        && grid.mesh().equals(mesh)
                ? grid.axes().get(axis)
                : Placement.REPLICATE;
    }

    // ---- costs

    private long bytes(Cut cut, int axis) {
        long bytes = 0;
        long summands = 0;
        for (int position = 0; position < given.length; position++) {
            int part = cut.strategy().operands()[position];
            if (given[position] == null) {
                if (part != WHOLE) {
                    return IMPOSSIBLE;
                }
                continue;
            }
            long own = given[position].type().bytes();
            bytes = Math.min(IMPOSSIBLE, bytes + cheapest(given[position], cut.placement(part), axis));
            summands += part == SUMMANDS ? own : 0;
        }
        return summands == 0
                ? bytes
                : bytes + Math.max(0, 2 * (instruction.resultType(0).bytes() - summands));
    }

    /**
     * Returns the bytes of created operands that this cut needs in a placement along the axis other than the intended
     * one.
     */
    private long remade(Cut cut, int axis) {
        long bytes = 0;
        for (int position = 0; position < given.length; position++) {
            ValuePlacements placements = given[position];
            boolean isRemade = placements != null
                    && placements.isCreated()
                    && !along(placements.sharding(), axis)
                            .equals(cut.placement(cut.strategy().operands()[position]));
            bytes += isRemade ? placements.type().bytes() : 0;
        }
        return bytes;
    }

    private long cheapest(ValuePlacements placements, Placement wanted, int axis) {
        if (placements.isCreated()) {
            return wanted instanceof Placement.Partial ? IMPOSSIBLE : 0;
        }
        long min = IMPOSSIBLE;
        for (ShardedValue shardedValue : placements.all()) {
            min = Math.min(
                    min,
                    bytes(
                            along(shardedValue.sharding(), axis),
                            wanted,
                            placements.type().bytes()));
        }
        return min;
    }

    private static long bytes(Placement has, Placement wanted, long bytes) {
        if (has.equals(wanted)) {
            return 0;
        }
        if (wanted instanceof Placement.Partial) {
            return IMPOSSIBLE;
        }
        boolean takesSum = has instanceof Placement.Partial && wanted instanceof Placement.Replicate;
        return has instanceof Placement.Replicate ? 0 : takesSum ? 2 * bytes : bytes;
    }

    // ---- possible choices

    private boolean isPossible(Cut cut, int axis) {
        Cut before = cuts.set(axis, cut);
        boolean isPossible = isEachDimCutOnce() && isAccepted();
        cuts.set(axis, before);
        return isPossible;
    }

    private boolean isEachDimCutOnce() {
        for (int position = 0; position < given.length; position++) {
            int operand = position;
            if (hasTwice(cuts.stream()
                    .mapToInt(cut -> cut.strategy().operands()[operand])
                    .toArray())) {
                return false;
            }
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            int result = position;
            if (hasTwice(cuts.stream()
                    .mapToInt(cut -> cut.strategy().results()[result])
                    .toArray())) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasTwice(int[] parts) {
        for (int first = 0; first < parts.length; first++) {
            for (int second = first + 1; second < parts.length; second++) {
                if (parts[first] >= 0 && parts[first] == parts[second]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns true if the op accepts the parts of every worker. */
    private boolean isAccepted() {
        for (int rank : mesh.workers()) {
            TensorType[] parts = new TensorType[instruction.operandCount()];
            for (int position = 0; position < parts.length; position++) {
                TensorType type = instruction.operandType(position);
                Shape shape = given[position] == null
                        ? type.shape()
                        : operand(position).partOf(type.shape(), rank);
                parts[position] = new TensorType(type.dtype(), shape);
            }
            if (!SpmdRewrite.accepts(instruction.op(), parts)) {
                return false;
            }
        }
        return true;
    }

    // ---- the choice

    @Override
    public Sharding operand(int position) {
        return sharding(cuts.stream()
                .map(cut -> cut.placement(cut.strategy().operands()[position]))
                .toList());
    }

    @Override
    public Sharding result(int position) {
        return sharding(cuts.stream()
                .map(cut -> cut.placement(cut.strategy().results()[position]))
                .toList());
    }

    private Sharding sharding(List<Placement> axes) {
        return new Sharding(mesh.workers(), new Placement.OnMesh(mesh, axes));
    }

    @Override
    public boolean isFallback() {
        return isFallback;
    }
}
