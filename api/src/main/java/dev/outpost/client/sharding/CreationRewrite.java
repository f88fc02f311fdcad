package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Rewrites created values: fills, ranges, random draws, and the results of elementwise ops and views whose operands
 * are all created. A created value is not computed where it was recorded. Each use asks for a placement, and each
 * member then computes its part, with the same bits as on a single machine. So no exchange is needed. A created value
 * that outlives the program gets the placement of data within a signal, and is replicated outside of a signal. Used
 * by one thread.
 *
 * @param signals the placements of instructions that were recorded within a signal, by instruction
 * @param exchanges is notified when members create parts of random tensors
 */
record CreationRewrite(
        int size,
        PlacedValues values,
        MemberBuilders members,
        Reshards reshards,
        Map<Integer, SignalPlacement> signals,
        Exchanges exchanges) {
    /** The largest number up to which a double represents each integer exactly. */
    private static final double EXACT = 0x1p53;
    /**
     * The maximum length of a chain of created values. Creating a value is recursive, so a longer chain is computed
     * where it was recorded.
     */
    private static final int DEEPEST = 64;

    // ---- numbers, ranges, draws

    /** Defines the result of an instruction without operands as a created value. */
    void make(Instruction instruction) {
        SignalPlacement signal = signals.get(instruction.index());
        Shape shape = instruction.resultType(0).shape();
        Sharding meant = signal == null ? Sharding.replicated(size) : signal.ofData(shape);
        define(instruction, meant, 0, (placements, target) -> make(instruction.op(), placements, target));
    }

    private ShardedValue make(Op op, ValuePlacements placements, Sharding target) {
        if (!isMadeInParts(op, target)) {
            return partOfWhole(placements, target);
        }
        int[] results = members.none();
        for (int rank : target.workers()) {
            Op own = partOf(op, placements.type().shape(), target, rank);
            if (own instanceof Random random && random.isPart()) {
                exchanges.drawsParts();
            }
            results[rank] = members.add(rank, own).result(0);
        }
        return new ShardedValue(target, results);
    }

    private ShardedValue partOfWhole(ValuePlacements placements, Sharding target) {
        ShardedValue whole = reshards.to(placements, target.with(Placement.REPLICATE), false);
        return reshards.fromWhole(whole, placements.type(), target);
    }

    private static boolean isMadeInParts(Op op, Sharding target) {
        if (op instanceof Fill || target.isReplicated()) {
            return true;
        }
        boolean isCut = target.placement() instanceof Placement.Shard(Split split) && !split.hasEmptyPart();
        return isCut && (!(op instanceof Arange range) || isExact(range));
    }

    // ---- values computed from created values

    /** Defines the result of an elementwise op as a created value if all operands are created. Returns false and does nothing otherwise. */
    boolean derive(Instruction instruction) {
        boolean isElementwise = switch (instruction.op()) {
            case Unary unary -> true;
            case Binary binary -> true;
            case Ternary ternary -> true;
            case Cast cast -> true;
            default -> false;
        };
        ValuePlacements[] operands = values.operands(instruction);
        boolean isOfNothing = isElementwise && isOfNothing(operands);
        if (isOfNothing) {
            define(
                    instruction,
                    meant(instruction, operands),
                    depthOver(operands),
                    (placements, target) -> compute(instruction, operands, target));
        }
        return isOfNothing;
    }

    /**
     * Returns true if all operands are created and their chain is short enough, so that their result can be a created value. A null
     * operand stands for a number.
     */
    static boolean isOfNothing(ValuePlacements... operands) {
        return Arrays.stream(operands).allMatch(placements -> placements == null || placements.isCreated())
                && depthOver(operands) <= DEEPEST;
    }

    private static int depthOver(ValuePlacements... operands) {
        int deepest = 0;
        for (ValuePlacements placements : operands) {
            deepest = placements == null ? deepest : Math.max(deepest, placements.depth());
        }
        return deepest + 1;
    }

    private ShardedValue compute(Instruction instruction, ValuePlacements[] operands, Sharding target) {
        Shape result = instruction.resultType(0).shape();
        ShardedValue[] parts = new ShardedValue[operands.length];
        for (int position = 0; position < parts.length; position++) {
            ValuePlacements placements = operands[position];
            parts[position] = placements == null
                    ? null
                    : reshards.to(
                            placements, ofOperand(target, placements.type().shape(), result), false);
        }
        int[] results = members.none();
        for (int rank : target.workers()) {
            results[rank] =
                    members.add(rank, instruction, instruction.op(), parts).result(0);
        }
        return new ShardedValue(target, results);
    }

    /** Returns the placement that a broadcast operand needs for a result in the target placement. */
    private static Sharding ofOperand(Sharding target, Shape operand, Shape result) {
        return switch (target.placement()) {
            case Placement.OnMesh grid ->
                target.with(new Placement.OnMesh(
                        grid.mesh(),
                        grid.axes().stream()
                                .map(axis -> ofOperand(axis, operand, result))
                                .toList()));
            default -> target.with(ofOperand(target.placement(), operand, result));
        };
    }

    private static Placement ofOperand(Placement target, Shape operand, Shape result) {
        if (!(target instanceof Placement.Shard(Split split))) {
            return target;
        }
        int own = ShardingRules.broadcastDim(operand, result, split.dim());
        return own < 0 ? Placement.REPLICATE : new Placement.Shard(split.in(own));
    }

    /**
     * Returns the intended placement of a result: the placement of an operand of the same shape. Without such an
     * operand it is the placement of data within a signal, or the placement of an operand that is sharded along a
     * dimension of the result.
     */
    private Sharding meant(Instruction instruction, ValuePlacements[] operands) {
        Shape result = instruction.resultType(0).shape();
        SignalPlacement signal = signals.get(instruction.index());
        boolean isPlaced = signal != null && signal.how() == SignalPlacement.How.COPY && instruction.op() == Unary.COPY;
        Sharding meant = null;
        for (ValuePlacements placements : operands) {
            boolean isOfItsShape =
                    placements != null && placements.type().shape().equals(result);
            if (isOfItsShape && !isPlaced) {
                return signal == null ? placements.sharding() : within(signal, placements.sharding(), result);
            }
            meant = meant == null && placements != null ? ofResult(placements, result) : meant;
        }
        return signal != null ? signal.ofData(result) : meant;
    }

    /** Returns the placement that a signal gives to a value with this placement. */
    private static Sharding within(SignalPlacement signal, Sharding has, Shape shape) {
        if (signal.how() == SignalPlacement.How.WHOLE) {
            return new Sharding(signal.workers(), Placement.REPLICATE);
        }
        if (has.workers().equals(signal.workers())) {
            return has;
        }
        if (signal.mesh().isPresent()) {
            return signal.ofData(shape);
        }
        boolean isCut = has.placement() instanceof Placement.Shard(Split split)
                && split.total() >= signal.workers().size();
        return isCut
                ? Sharding.even(
                        signal.workers(),
                        shape,
                        ((Placement.Shard) has.placement()).split().dim())
                : new Sharding(signal.workers(), Placement.REPLICATE);
    }

    private Sharding ofResult(ValuePlacements placements, Shape result) {
        Sharding has = placements.sharding();
        if (has.placement() instanceof Placement.Shard(Split split)) {
            int dim = split.dim() + result.rank() - placements.type().shape().rank();
            if (result.size(dim) == split.total()) {
                return has.with(new Placement.Shard(split.in(dim)));
            }
        }
        return has.with(Placement.REPLICATE);
    }

    /** Defines a view of a created value. */
    void view(Instruction instruction, AsStrided op, ValuePlacements base) {
        Sharding has = base.sharding();
        Sharding meant = PartView.of(base.type().shape(), has.placement(), op.layout())
                .map(view -> has.with(view.placement()))
                .orElse(has.with(Placement.REPLICATE));
        define(instruction, meant, depthOver(base), (placements, target) -> view(op.layout(), base, target));
    }

    private ShardedValue view(Layout layout, ValuePlacements base, Sharding target) {
        if (target.placement() instanceof Placement.Shard(Split split)) {
            Shape shape = base.type().shape();
            for (int dim = 0; dim < shape.rank(); dim++) {
                Optional<ViewSplit> view = shape.size(dim) == split.total()
                        ? ViewSplit.of(shape, split.in(dim), layout)
                        : Optional.empty();
                if (view.isPresent() && view.get().split().equals(split)) {
                    Sharding ofBase = target.with(new Placement.Shard(split.in(dim)));
                    return views(view.get().layouts(), reshards.to(base, ofBase, false), target);
                }
            }
        }
        List<Layout> layouts = IntStream.range(0, target.workers().size())
                .mapToObj(place -> Reshards.partOf(layout, target.placement(), place))
                .toList();
        return views(layouts, reshards.to(base, target.with(Placement.REPLICATE), false), target);
    }

    private ShardedValue views(List<Layout> layouts, ShardedValue base, Sharding target) {
        int[] results = members.none();
        for (int place = 0; place < layouts.size(); place++) {
            int rank = target.workers().get(place);
            results[rank] = members.add(rank, new AsStrided(layouts.get(place)), base.local(rank))
                    .result(0);
        }
        return new ShardedValue(target, results);
    }

    /** Defines a created value that overwrites all of another value and gets its placement. */
    void replace(Instruction instruction, ValuePlacements source, Sharding meant) {
        Layout all = Layout.contiguous(source.type().shape());
        define(instruction, meant, depthOver(source), (placements, target) -> {
            List<Layout> same = target.workers().stream()
                    .map(rank -> Layout.contiguous(target.partOf(all.shape(), rank)))
                    .toList();
            return views(same, reshards.to(source, target, false), target);
        });
    }

    /** Defines the result of writing a created value through a view of another created value. */
    void write(Instruction instruction, StridedWrite op, ValuePlacements base, ValuePlacements source) {
        define(instruction, base.sharding(), depthOver(base, source), (placements, target) -> {
            Optional<PartView> view = PartView.of(base.type().shape(), target.placement(), op.layout());
            if (view.isEmpty() && !target.isReplicated()) {
                return partOfWhole(placements, target);
            }
            Sharding ofSource =
                    view.map(found -> target.with(found.placement())).orElse(target);
            ShardedValue written = reshards.to(source, ofSource, false);
            ShardedValue before = reshards.to(base, target, false);
            int[] results = members.none();
            for (int place = 0; place < target.workers().size(); place++) {
                int rank = target.workers().get(place);
                Layout own = view.isPresent() ? view.get().layouts().get(place) : op.layout();
                results[rank] = members.add(rank, instruction, new StridedWrite(own), before, written)
                        .result(0);
            }
            return new ShardedValue(target, results);
        });
    }

    // ---- shared

    private void define(Instruction instruction, Sharding meant, int depth, ValuePlacements.Maker maker) {
        String line = members.line();
        ValuePlacements.Maker made = (placements, target) -> {
            String asked = members.line();
            members.at(line);
            try {
                ShardedValue whole = Reshards.replicatedOn(placements, target.workers());
                return whole == null
                        ? maker.make(placements, target)
                        : reshards.fromWhole(whole, placements.type(), target);
            } finally {
                members.at(asked);
            }
        };
        values.put(instruction.result(0), ValuePlacements.created(instruction.resultType(0), meant, depth, made));
    }

    private static Op partOf(Op op, Shape whole, Sharding made, int rank) {
        Shape part = made.partOf(whole, rank);
        Optional<Split> split =
                made.placement() instanceof Placement.Shard(Split cut) ? Optional.of(cut) : Optional.empty();
        int place = made.workers().indexOf(rank);
        return switch (op) {
            case Fill fill -> new Fill(part, fill.value());
            case Arange range ->
                split.map(cut -> partOf(range, cut.start(place), cut.size(place)))
                        .orElse(range);
            case Random random ->
                split.map(cut -> random.part(
                                new TensorType(random.type().dtype(), part),
                                Random.Part.of(whole, cut.dim(), cut.start(place), cut.size(place))))
                        .orElse(random);
            default -> throw new IllegalArgumentException("no value that is made of nothing: " + op);
        };
    }

    private static Arange partOf(Arange range, long first, long length) {
        Scalar start = range.start().dtype() == DType.INT64
                ? Scalar.of(
                        DType.INT64,
                        range.start().asLong() + first * range.step().asLong())
                : Scalar.of(
                        DType.FLOAT64,
                        range.start().asDouble() + first * range.step().asDouble());
        return new Arange(range.dtype(), length, start, range.step());
    }

    /**
     * True if a part of the range can be computed from another start with the same bits. This holds for integers, and for doubles that are
     * all small integer multiples of one power of two.
     */
    private static boolean isExact(Arange range) {
        if (range.start().dtype() == DType.INT64) {
            return true;
        }
        double start = range.start().asDouble();
        double step = range.step().asDouble();
        double unit = Math.min(lowestBit(start), lowestBit(step));
        double reach = Math.abs(start) + range.length() * Math.abs(step);
        return reach / unit <= EXACT;
    }

    /** Returns the value of the lowest set bit; infinity for 0. */
    private static double lowestBit(double value) {
        if (value == 0) {
            return Double.POSITIVE_INFINITY;
        }
        long bits = Double.doubleToRawLongBits(value) & (1L << 52) - 1;
        int zeros = bits == 0 ? 52 : Long.numberOfTrailingZeros(bits);
        return Math.ulp(value) * Math.scalb(1.0, zeros);
    }
}
