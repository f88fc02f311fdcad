package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.cli.parity.Argument.IntegerArgument;
import dev.outpost.cli.parity.EqualKeys;
import dev.outpost.cli.parity.ParityTolerance;
import dev.outpost.cli.parity.fuzz.Difference.Kind;
import dev.outpost.cli.parity.fuzz.Outcome.Computed;
import dev.outpost.cli.parity.fuzz.Outcome.Refused;
import dev.outpost.cli.parity.fuzz.Statement.Backward;
import dev.outpost.cli.parity.fuzz.Statement.Invocation;
import dev.outpost.protocol.types.DType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Differences that are as they should be, each with its reason. */
final class KnownDifferences {
    private record Entry(String reason, Predicate<Difference> applies) {}

    private static final List<Entry> ALL = List.of(
            refusal("PyTorch asks for a bug report", "please report a bug to PyTorch"),
            refusal(
                    "PyTorch refuses to write into a part of a split",
                    "the output of a function that returns multiple views"),
            new Entry(
                    "PyTorch's gradient of a power takes no bool exponent",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(difference, "Subtraction, the `-` operator")),
            refusal(
                    "PyTorch wants one dtype where index tensors say what is assigned",
                    "Index put requires the source and destination dtypes match"),
            new Entry(
                    "PyTorch only warns of writing where elements share memory",
                    difference -> difference.kind() == Kind.ONLY_OUTPOST_REFUSES
                            && difference.text().contains("whose elements share memory cannot be written")),
            new Entry(
                    "NaN has no place in the order that the most frequent element is found by",
                    KnownDifferences::isModeOfNan),
            refusal(
                    "PyTorch's strides do not allow the view",
                    "^RuntimeError: view size is not compatible with input tensor's size and stride"),
            new Entry(
                    "PyTorch does not broadcast what is added to a product of nothing",
                    KnownDifferences::isSumOfNoProduct),
            new Entry(
                    "a gradient of 16 bits is a sum of rounded parts, which may cancel",
                    KnownDifferences::isRoundedGradient),
            new Entry("each addition into an element of 16 bits is rounded", KnownDifferences::isRoundedSum),
            new Entry("PyTorch crashed or hung", difference -> difference.kind() == Kind.PYTORCH_BREAKS),
            refusal("PyTorch has no CPU kernel for the dtype", "not implemented for '"),
            refusal("PyTorch answers a complex tensor", "a complex"),
            refusal("PyTorch has no gradient for the op", "derivative for .* is not implemented"),
            new Entry(
                    "PyTorch has no gradient for the op, but says that its result requires one",
                    KnownDifferences::isPromisedGradient),
            refusal(
                    "PyTorch has written over what the gradient needs; Outpost keeps it",
                    "has been modified by an inplace operation"),
            refusal(
                    "PyTorch would read what it writes; Outpost reads first",
                    "some elements of the input tensor and the written-to tensor refer to a single memory location"),
            new Entry(
                    "a float outside of the integer's range is cast, which C leaves open",
                    KnownDifferences::isCastOutOfRange),
            new Entry("equal elements, of which either may be meant", KnownDifferences::isOrderOfEqualKeys),
            new Entry(
                    "PyTorch's running mean takes an infinity from an infinity",
                    KnownDifferences::isRunningMeanOfInfinity));

    private static Entry refusal(String reason, String words) {
        return new Entry(reason, difference -> isRefusedWith(difference, words));
    }

    private static boolean isRefusedWith(Difference difference, String words) {
        return difference.kind() == Kind.ONLY_PYTORCH_REFUSES
                && difference.theirs() instanceof Refused refused
                && Pattern.compile(words).matcher(refused.reason()).find();
    }

    /** The first reason that applies. */
    Optional<String> reason(Difference difference) {
        return ALL.stream()
                .filter(entry -> entry.applies().test(difference))
                .map(Entry::reason)
                .findFirst();
    }

    private static HostTensor ours(Difference difference) {
        return ((Computed) difference.ours())
                .seen()
                .get(difference.where())
                .orElseThrow()
                .value();
    }

    private static HostTensor theirs(Difference difference) {
        return ((Computed) difference.theirs())
                .seen()
                .get(difference.where())
                .orElseThrow()
                .value();
    }

    private static boolean isCastOutOfRange(Difference difference) {
        if (difference.kind() != Kind.VALUE || ours(difference).dtype().isFloating()) {
            return false;
        }
        DType dtype = ours(difference).dtype();
        return difference.operands().values().stream()
                .anyMatch(operand -> operand.dtype().isFloating() && !isInRange(operand, dtype));
    }

    private static boolean isInRange(HostTensor value, DType dtype) {
        double most = dtype == DType.UINT8 ? 255 : Math.scalb(1.0, 8 * dtype.bytes() - 1) - 1;
        double least = dtype == DType.UINT8 ? 0 : -most - 1;
        for (long index = 0; index < value.shape().elements(); index++) {
            double element = value.getDouble(index);
            if (!(element > least - 1 && element < most + 1)) {
                return false;
            }
        }
        return true;
    }

    private static final Set<String> CHOOSING = Set.of("topk", "kthvalue", "mode", "median", "nanmedian", "argsort");

    /** PyTorch says nothing about which of equal elements comes first. */
    private static boolean isOrderOfEqualKeys(Difference difference) {
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
        int place = call.op().equals("topk") || call.op().equals("kthvalue") ? 2 : 1;
        boolean isGiven = place < call.arguments().size() && call.arguments().get(place) instanceof IntegerArgument;
        int dim = isGiven ? Math.toIntExact(((IntegerArgument) call.arguments().get(place)).value()) : -1;
        return dim < 0 ? dim + Math.max(1, keys.shape().rank()) : dim;
    }

    private static boolean isRunningMeanOfInfinity(Difference difference) {
        return difference.kind() == Kind.VALUE
                && Set.of("var_mean", "std_mean")
                        .contains(difference.statement().op())
                && difference.text().contains("Infinity, expected NaN");
    }

    private static boolean isModeOfNan(Difference difference) {
        return difference.kind() == Kind.VALUE
                && difference.statement().op().equals("mode")
                && difference.operands().values().stream().anyMatch(KnownDifferences::hasNan);
    }

    private static boolean hasNan(HostTensor value) {
        return LongStream.range(0, value.shape().elements()).anyMatch(index -> Double.isNaN(value.getDouble(index)));
    }

    private static boolean isSumOfNoProduct(Difference difference) {
        return difference.kind() == Kind.SHAPE
                && difference.statement().op().equals("addmv")
                && difference.operands().values().stream()
                        .anyMatch(operand -> operand.shape().elements() == 0);
    }

    private static final Set<String> ADDING =
            Set.of("scatter_add", "scatter_add_", "scatter_reduce", "index_add", "index_add_", "put", "put_");

    /** The order of additions is not defined; an error of half a unit for each of them is. */
    private static boolean isRoundedSum(Difference difference) {
        if (difference.kind() != Kind.VALUE
                || !ADDING.contains(difference.statement().op())) {
            return false;
        }
        HostTensor ours = ours(difference);
        HostTensor theirs = theirs(difference);
        double largest = difference.operands().values().stream()
                .mapToDouble(KnownDifferences::largestMagnitude)
                .max()
                .orElse(0);
        long additions = difference.operands().values().stream()
                .mapToLong(operand -> operand.shape().elements())
                .max()
                .orElse(0);
        double unit = ParityTolerance.of(ours.dtype()).relative();
        double allowed = ours.dtype().bytes() == 2 ? additions * largest * unit : 0;
        return LongStream.range(0, ours.shape().elements())
                .allMatch(index -> isWithin(allowed, ours.getDouble(index), theirs.getDouble(index)));
    }

    /** As near as two units of the largest gradient around. */
    private static boolean isRoundedGradient(Difference difference) {
        if (difference.kind() != Kind.VALUE || !(difference.statement() instanceof Backward)) {
            return false;
        }
        HostTensor ours = ours(difference);
        HostTensor theirs = theirs(difference);
        double largest = Stream.concat(difference.operands().values().stream(), Stream.of(ours, theirs))
                .mapToDouble(KnownDifferences::largestMagnitude)
                .max()
                .orElse(0);
        double unit = ParityTolerance.of(ours.dtype()).relative();
        double allowed = ours.dtype().bytes() == 2 ? 2 * largest * unit : 0;
        return LongStream.range(0, ours.shape().elements())
                .allMatch(index -> isWithin(allowed, ours.getDouble(index), theirs.getDouble(index)));
    }

    private static boolean isWithin(double allowed, double one, double other) {
        return Math.abs(one - other) <= allowed || Double.compare(one, other) == 0;
    }

    private static double largestMagnitude(HostTensor value) {
        return LongStream.range(0, value.shape().elements())
                .mapToDouble(value::getDouble)
                .map(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private static boolean isPromisedGradient(Difference difference) {
        return difference.kind() == Kind.REQUIRES_GRAD
                && Set.of("heaviside", "nextafter")
                        .contains(difference.statement().op());
    }
}
