package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.cli.parity.Argument.IntegerArgument;
import dev.outpost.cli.parity.EqualKeys;
import dev.outpost.cli.parity.ParityTolerance;
import dev.outpost.cli.parity.fuzz.Difference.Kind;
import dev.outpost.cli.parity.fuzz.Outcome.Computed;
import dev.outpost.cli.parity.fuzz.Statement.Backward;
import dev.outpost.cli.parity.fuzz.Statement.Invocation;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.NumberRange;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What a difference may come from, told by the statement, its operands and what both sides answered. */
final class Causes {
    /** Where PyTorch says nothing about which of equal elements comes first. */
    private static final Set<String> CHOOSING = Set.of("topk", "kthvalue", "mode", "median", "nanmedian", "argsort");

    /** Where the third argument, not the second, is the dimension. */
    private static final Set<String> DIM_AFTER_COUNT = Set.of("topk", "kthvalue");

    private static final Set<String> ADDING =
            Set.of("scatter_add", "scatter_add_", "scatter_reduce", "index_add", "index_add_", "put", "put_");

    private static final Set<String> MULTIPLYING = Set.of(
            "nn.functional.linear",
            "nn.functional.conv1d",
            "nn.functional.conv2d",
            "addmm",
            "addmv",
            "addr",
            "baddbmm",
            "addmm_");

    private Causes() {}

    private static HostTensor ours(Difference difference) {
        return value(difference.ours(), difference.where());
    }

    private static HostTensor theirs(Difference difference) {
        return value(difference.theirs(), difference.where());
    }

    private static HostTensor value(Outcome outcome, String name) {
        return ((Computed) outcome).seen().get(name).orElseThrow().value();
    }

    private static Stream<HostTensor> values(Outcome outcome) {
        return ((Computed) outcome)
                .seen().values().stream().flatMap(Optional::stream).map(Seen::value);
    }

    private static LongStream elements(HostTensor value) {
        return LongStream.range(0, value.shape().elements());
    }

    // ---- casts

    static boolean isCastOutOfRange(Difference difference) {
        if (difference.kind() != Kind.VALUE || ours(difference).dtype().isFloating()) {
            return false;
        }
        NumberRange range = NumberRange.of(ours(difference).dtype());
        return difference.operands().values().stream()
                .anyMatch(operand -> operand.dtype().isFloating() && !isInRange(operand, range));
    }

    private static boolean isInRange(HostTensor value, NumberRange range) {
        return elements(value)
                .mapToDouble(value::getDouble)
                .allMatch(element -> element > range.lowest() - 1 && element < range.largest() + 1);
    }

    // ---- choices

    static boolean isOrderOfEqualKeys(Difference difference) {
        if (difference.kind() != Kind.VALUE
                || !(difference.statement() instanceof Invocation call)
                || !CHOOSING.contains(call.op())
                || ours(difference).dtype() != DType.INT64) {
            return false;
        }
        HostTensor keys = difference.operands().get(call.uses().findFirst().orElseThrow());
        return EqualKeys.areAt(keys, dim(call, keys), ours(difference), theirs(difference));
    }

    private static int dim(Invocation call, HostTensor keys) {
        int place = DIM_AFTER_COUNT.contains(call.op()) ? 2 : 1;
        boolean isGiven = place < call.arguments().size();
        int dim = isGiven && call.arguments().get(place) instanceof IntegerArgument given
                ? Math.toIntExact(given.value())
                : -1;
        return dim < 0 ? dim + Math.max(1, keys.shape().rank()) : dim;
    }

    static boolean isModeOfNan(Difference difference) {
        return difference.kind() == Kind.VALUE
                && difference.statement().op().equals("mode")
                && difference.operands().values().stream().anyMatch(Causes::hasNan);
    }

    private static boolean hasNan(HostTensor value) {
        return elements(value).mapToDouble(value::getDouble).anyMatch(Double::isNaN);
    }

    // ---- roundings and infinities

    static boolean isRunningMeanOfInfinity(Difference difference) {
        return difference.kind() == Kind.VALUE
                && Set.of("var_mean", "std_mean")
                        .contains(difference.statement().op())
                && difference.text().contains("Infinity, expected NaN");
    }

    /** The order of additions is not defined; an error of half a unit for each of them is. */
    static boolean isRoundedSum(Difference difference) {
        long additions = difference.operands().values().stream()
                .mapToLong(operand -> operand.shape().elements())
                .max()
                .orElse(0);
        return difference.kind() == Kind.VALUE
                && ADDING.contains(difference.statement().op())
                && isWithinUnits(difference, additions);
    }

    /** A unit of the largest product that may have been added up. */
    static boolean isRoundedProduct(Difference difference) {
        if (difference.kind() != Kind.VALUE
                || !MULTIPLYING.contains(difference.statement().op())) {
            return false;
        }
        double largest = difference.operands().values().stream()
                .mapToDouble(Causes::largestMagnitude)
                .max()
                .orElse(0);
        long additions = difference.operands().values().stream()
                .mapToLong(operand -> operand.shape().elements())
                .max()
                .orElse(0);
        return isWithinUnits(difference, additions * Math.max(1, Math.round(largest)));
    }

    /** Two units of the largest gradient around. */
    static boolean isRoundedGradient(Difference difference) {
        return difference.kind() == Kind.VALUE
                && difference.statement() instanceof Backward
                && isWithinUnits(difference, 2);
    }

    /** Whether two tensors of 16 bits are that near, a unit being one of the largest number that was added. */
    private static boolean isWithinUnits(Difference difference, long units) {
        HostTensor ours = ours(difference);
        HostTensor theirs = theirs(difference);
        if (ours.dtype().bytes() != 2 || !ours.dtype().isFloating()) {
            return false;
        }
        double largest = Stream.concat(difference.operands().values().stream(), values(difference.ours()))
                .mapToDouble(Causes::largestMagnitude)
                .max()
                .orElse(0);
        double allowed = units * largest * ParityTolerance.of(ours.dtype()).relative();
        return elements(ours).allMatch(index -> isWithin(allowed, ours.getDouble(index), theirs.getDouble(index)));
    }

    private static boolean isWithin(double allowed, double one, double other) {
        return Math.abs(one - other) <= allowed || Double.compare(one, other) == 0;
    }

    private static double largestMagnitude(HostTensor value) {
        return elements(value)
                .mapToDouble(value::getDouble)
                .map(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    // ---- what PyTorch says of its results

    static boolean isSumOfNoProduct(Difference difference) {
        return difference.kind() == Kind.SHAPE
                && difference.statement().op().equals("addmv")
                && difference.operands().values().stream()
                        .anyMatch(operand -> operand.shape().elements() == 0);
    }

    static boolean isPromisedGradient(Difference difference) {
        return difference.kind() == Kind.REQUIRES_GRAD
                && Set.of("heaviside", "nextafter")
                        .contains(difference.statement().op());
    }

    static boolean isIntegerWithGradients(Difference difference) {
        return difference.kind() == Kind.REQUIRES_GRAD
                && !ours(difference).dtype().isFloating();
    }
}
