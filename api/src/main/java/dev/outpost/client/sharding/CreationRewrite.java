package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.Map;
import java.util.Optional;

/**
 * Values that are made of nothing: numbers, ranges and random draws. Within a signal they are placed as data are. Each member makes
 * its part, with the bits that it has on one machine, and nothing is exchanged. Used by one thread.
 */
final class CreationRewrite {
    /** Doubles hold each integer up to this. */
    private static final double EXACT = 0x1p53;

    private final PlacedValues values;
    private final MemberBuilders members;
    private final Reshards reshards;
    private final Map<Integer, SignalPlacement> signals;
    private final Exchanges exchanges;

    /**
     * @param signals by instruction, where it is computed, if it was recorded within a signal
     * @param exchanges hears of parts of random tensors
     */
    CreationRewrite(
            PlacedValues values,
            MemberBuilders members,
            Reshards reshards,
            Map<Integer, SignalPlacement> signals,
            Exchanges exchanges) {
        this.values = values;
        this.members = members;
        this.reshards = reshards;
        this.signals = signals;
        this.exchanges = exchanges;
    }

    /** Has each member make its part; false where nothing says how the value is placed. */
    boolean make(Instruction instruction) {
        SignalPlacement signal = signals.get(instruction.index());
        if (signal == null) {
            return false;
        }
        TensorType type = instruction.resultType(0);
        Sharding wanted = signal.ofData(type.shape());
        Sharding made = isMadeInParts(instruction.op(), wanted) ? wanted : wanted.with(Placement.REPLICATE);
        int[] results = members.none();
        for (int rank : made.workers()) {
            Op own = partOf(instruction.op(), type.shape(), made, rank);
            if (own instanceof Random random && random.isPart()) {
                exchanges.drawsParts();
            }
            results[rank] = members.add(rank, own).result(0);
        }
        Version version = new Version(made, results);
        values.define(
                instruction,
                0,
                made.equals(wanted) ? version : reshards.to(new Versions(type, version), wanted, false));
        return true;
    }

    private static boolean isMadeInParts(Op op, Sharding wanted) {
        return switch (op) {
            case Fill fill -> true;
            case Arange range ->
                wanted.isReplicated() || wanted.placement() instanceof Placement.Shard && isExact(range);
            default -> wanted.isReplicated() || wanted.placement() instanceof Placement.Shard;
        };
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
     * True if another start gives the same bits. Integers are exact, and so are doubles of which each is a small integer times one
     * power of two.
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

    /** The value of the lowest bit that is set; infinity for 0. */
    private static double lowestBit(double value) {
        if (value == 0) {
            return Double.POSITIVE_INFINITY;
        }
        long bits = Double.doubleToRawLongBits(value) & (1L << 52) - 1;
        int zeros = bits == 0 ? 52 : Long.numberOfTrailingZeros(bits);
        return Math.ulp(value) * Math.scalb(1.0, zeros);
    }
}
