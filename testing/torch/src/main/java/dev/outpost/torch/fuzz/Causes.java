package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.EqualKeys;
import dev.outpost.torch.ParityTolerance;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.types.DType;
import dev.outpost.types.NumberRange;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The causes of differences, recognized by the statement, its operands and the answers of both sides. */
final class Causes {
    /** The ops for which PyTorch does not define the order of equal elements. */
    private static final Set<String> CHOOSING = Set.of("topk", "kthvalue", "mode", "median", "nanmedian", "argsort");

    /** The ops whose third argument, not the second, is the dimension. */
    private static final Set<String> DIM_AFTER_COUNT = Set.of("topk", "kthvalue");

    private Causes() {}

    private static HostTensor ours(Difference difference) {
        return value(difference.ours(), difference.where());
    }

    private static HostTensor theirs(Difference difference) {
        return value(difference.theirs(), difference.where());
    }

    private static HostTensor value(StatementOutcome outcome, String name) {
        return ((Computed) outcome).seen().get(name).orElseThrow().value();
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

    // ---- refusals

    static boolean isOwnRefusal(Difference difference, String words) {
        return difference.kind() == Kind.ONLY_OUTPOST_REFUSES
                && difference.ours() instanceof Refused refused
                && refused.reason().contains(words);
    }

    /** Returns true for a scatter of a number without indices. */
    static boolean isNumberWrittenNowhere(Difference difference) {
        return isOwnRefusal(difference, " does not fit ")
                && Set.of("scatter", "scatter_").contains(difference.statement().op())
                && difference
                        .statement()
                        .uses()
                        .skip(1)
                        .map(difference.operands()::get)
                        .anyMatch(indices -> indices.shape().elements() == 0);
    }

    static boolean isDTypeOfNothing(Difference difference) {
        boolean isOfDType = isOwnRefusal(difference, ": not defined for bool, ")
                || isOwnRefusal(difference, ": needs float32 or float64, ");
        return isOfDType
                && difference.operands().values().stream()
                        .allMatch(operand -> operand.shape().elements() == 0);
    }

    static boolean isIndexOfNothing(Difference difference) {
        return isOwnRefusal(difference, ": the index must not be larger than the ")
                && difference
                        .statement()
                        .uses()
                        .skip(1)
                        .findFirst()
                        .map(difference.operands()::get)
                        .filter(index -> index.shape().elements() == 0)
                        .isPresent();
    }

    static boolean isDimensionOfNothing(Difference difference) {
        return isOwnRefusal(difference, ": dimension out of range, ")
                && difference.operands().values().stream()
                        .allMatch(operand -> operand.shape().elements() == 0);
    }

    static boolean isDifferenceOfOrderZero(Difference difference) {
        return isOwnRefusal(difference, "diff: dimension out of range")
                && difference.statement() instanceof Invocation call
                && call.arguments().get(1).equals(new IntegerArgument(0));
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

    /** log(1 + exp(-x · y)) if the exponential exceeds the range of the dtype, but the logarithm does not. */
    static boolean isOverflowOfSoftMargin(Difference difference) {
        return difference.kind() == Kind.VALUE
                && difference.statement().op().equals("nn.functional.soft_margin_loss")
                && elements(ours(difference))
                        .filter(index -> theirs(difference).getDouble(index) != Double.POSITIVE_INFINITY)
                        .noneMatch(index -> differsAt(difference, index))
                && hasExponentialBeyond(difference);
    }

    private static boolean differsAt(Difference difference, long index) {
        ParityTolerance tolerance = ParityTolerance.of(ours(difference).dtype());
        return !tolerance.accepts(
                ours(difference).getDouble(index), theirs(difference).getDouble(index));
    }

    private static boolean hasExponentialBeyond(Difference difference) {
        double largest = difference.operands().values().stream()
                .mapToDouble(Causes::largestFinite)
                .reduce(1, (one, other) -> one * other);
        double max = ours(difference).dtype() == DType.FLOAT16 ? 65504 : Float.MAX_VALUE;
        return largest > Math.log(ours(difference).dtype() == DType.FLOAT64 ? Double.MAX_VALUE : max);
    }

    private static double largestFinite(HostTensor value) {
        return elements(value)
                .mapToDouble(index -> Math.abs(value.getDouble(index)))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** A share of the target that is spread over no classes: PyTorch multiplies an empty sum by 1 / 0. */
    static boolean isLossOfNoClasses(Difference difference) {
        if (difference.kind() != Kind.VALUE || !difference.statement().op().equals("nn.functional.cross_entropy")) {
            return false;
        }
        HostTensor scores = difference
                .operands()
                .get(difference.statement().uses().findFirst().orElseThrow());
        int classes = Math.min(1, scores.shape().rank() - 1);
        return classes >= 0 && scores.shape().size(classes) == 0 && hasNan(theirs(difference));
    }

    static boolean isRunningMeanOfInfinity(Difference difference) {
        return difference.kind() == Kind.VALUE
                && Set.of("var_mean", "std_mean")
                        .contains(difference.statement().op())
                && difference.text().contains("Infinity, expected NaN");
    }

    /** Returns true for a sum that is written into its own source: all elements of the source are elements of the target. */
    static boolean isScatterOfOneself(Difference difference) {
        if (difference.kind() != Kind.VALUE || !difference.statement().op().equals("scatter_add_")) {
            return false;
        }
        List<HostTensor> operands = difference
                .statement()
                .uses()
                .map(difference.operands()::get)
                .filter(operand -> operand != null && operand.dtype().isFloating())
                .toList();
        HostTensor target = operands.getFirst();
        HostTensor source = operands.getLast();
        Set<Double> elements =
                Arrays.stream(target.to(DType.FLOAT64).toDoubleArray()).boxed().collect(Collectors.toSet());
        return target.dtype() == source.dtype()
                && Arrays.stream(source.to(DType.FLOAT64).toDoubleArray()).allMatch(elements::contains);
    }

    // ---- properties of PyTorch's results

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
