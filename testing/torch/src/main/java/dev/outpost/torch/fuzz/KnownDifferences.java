package dev.outpost.torch.fuzz;

import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.vocabulary.UnsupportedFormException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The intended differences, each with its reason. */
final class KnownDifferences {
    private record Entry(String reason, Predicate<Difference> applies) {}

    /** The calls that PyTorch refuses and Outpost computes. */
    private static final List<Entry> ONLY_PYTORCH_REFUSES = List.of(
            refusal("PyTorch has no CPU kernel for the dtype", "not implemented for '"),
            refusal("PyTorch answers a complex tensor", "a complex"),
            new Entry(
                    "PyTorch refuses argmax and argmin of bools; Outpost takes them for 0 and 1",
                    difference -> difference.statement().op().startsWith("arg")
                            && isRefusedWith(difference, "arg(max|min)\\(\\): does not support bool input")),
            refusal("PyTorch has no gradient for the op", "derivative for .* is not implemented"),
            refusal(
                    "PyTorch cannot add to a product of no bools",
                    "result type Long can't be cast to the desired output type Bool"),
            refusal("PyTorch asks for a bug report", "please report a bug to PyTorch"),
            refusal(
                    "PyTorch has written over what the gradient needs; Outpost keeps it",
                    "has been modified by an inplace operation"),
            refusal(
                    "PyTorch would read what it writes; Outpost reads first",
                    "some elements of the input tensor and the written-to tensor refer to a single memory location"),
            refusal(
                    "PyTorch refuses to write into a part of a split",
                    "the output of a function that returns multiple views"),
            refusal(
                    "PyTorch wants one dtype where index tensors say what is assigned",
                    "Index put requires the source and destination dtypes match"),
            refusal(
                    "PyTorch's strides do not allow the view",
                    "^RuntimeError: view size is not compatible with input tensor's size and stride"),
            new Entry(
                    "PyTorch refuses to assign a tensor's only element where its dtype does not hold it; Outpost casts it",
                    difference -> difference.statement().op().equals("__setitem__")
                            && isRefusedWith(difference, "value cannot be converted to type .* without overflow")),
            new Entry(
                    "PyTorch takes a part of what shares memory for a leaf",
                    difference ->
                            difference.statement().uses().findFirst().orElse("").contains("[")
                                    && isRefusedWith(difference, "a leaf Variable that requires grad is being used")),
            new Entry(
                    "PyTorch's gradient of integers among the operands is of another dtype",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(difference, "can't be cast to the desired output type")),
            new Entry(
                    "PyTorch's gradient of a scaled quotient casts the scale to an integer divisor's dtype",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(difference, "value cannot be converted to type .* without overflow")),
            new Entry(
                    "PyTorch's gradient of a power takes no bool exponent",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(difference, "Subtraction, the `-` operator")),
            new Entry(
                    "PyTorch's gradient of running products takes no other dtype",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(
                                    difference, "masked_scatter: expected self and source to have same dtypes")),
            new Entry(
                    "PyTorch's gradient of an arc tangent takes no bool",
                    difference -> difference.statement() instanceof Backward
                            && isRefusedWith(difference, "Negation, the `-` operator, on a bool tensor")));

    /** The calls that Outpost refuses and PyTorch computes. */
    private static final List<Entry> ONLY_OUTPOST_REFUSES = List.of(
            ownRefusal(
                    "PyTorch only warns of writing where elements share memory",
                    "whose elements share memory cannot be written"),
            ownRefusal("PyTorch does not look at indices into nothing", "is out of bounds for dimension of size 0"),
            new Entry("PyTorch does not look at the number that it writes nowhere", Causes::isNumberWrittenNowhere),
            new Entry("PyTorch does not look at the dimension of nothing", Causes::isDimensionOfNothing),
            new Entry("PyTorch does not look at the dtype of nothing", Causes::isDTypeOfNothing),
            new Entry("PyTorch does not look at the shape of an index of nothing", Causes::isIndexOfNothing),
            ownRefusal(
                    "PyTorch takes a tensor of one element for a number; Java's op takes the number",
                    " must be a number, got TensorArgument"),
            ownRefusal(
                    "PyTorch wants elements of a source only where the mask is true, which it reads",
                    "masked_scatter: the source has no elements"),
            new Entry(
                    "PyTorch's maxima of windows take integers, too",
                    difference -> difference.statement().op().contains("max_pool")
                            && Causes.isOwnRefusal(difference, "needs a floating dtype")),
            ownRefusal("PyTorch interpolates bytes by integers", "interpolate: needs a floating dtype"),
            ownRefusal(
                    "PyTorch's exponential of a matrix of halves is far off", "matrix_exp: needs float32 or float64"),
            new Entry(
                    "PyTorch does not look at the dimension that it takes no differences along",
                    Causes::isDifferenceOfOrderZero));

    /** The calls that both compute in different ways. */
    private static final List<Entry> VALUES = List.of(
            new Entry("a float outside of the integer's range is cast, which C leaves open", Causes::isCastOutOfRange),
            new Entry("equal elements, of which either may be meant", Causes::isOrderOfEqualKeys),
            new Entry("NaN has no place in the order that the most frequent element is found by", Causes::isModeOfNan),
            new Entry("PyTorch's exponential overflows", Causes::isOverflowOfSoftMargin),
            new Entry(
                    "PyTorch divides the loss of nothing by the number of classes, which is 0",
                    Causes::isLossOfNoClasses),
            new Entry("PyTorch's running mean takes an infinity from an infinity", Causes::isRunningMeanOfInfinity),
            new Entry("PyTorch does not broadcast what is added to a product of nothing", Causes::isSumOfNoProduct),
            new Entry(
                    "PyTorch has no gradient for the op, but says that its result requires one",
                    Causes::isPromisedGradient),
            new Entry(
                    "PyTorch says that integers require gradients once a float that does is copied there",
                    Causes::isIntegerWithGradients),
            new Entry(
                    "PyTorch's scatter_add_ reads what it has written; Outpost reads first",
                    Causes::isScatterOfOneself),
            new Entry("PyTorch crashed or hung", difference -> difference.kind() == Kind.PYTORCH_BREAKS));

    /** The differences of samples, whose operands have combinations of dtypes that programs do not draw. */
    private static final List<Entry> REFUSED_SAMPLES = List.of(
            refusal(
                    "PyTorch's kernel wants operands of one dtype, or of one of its own; Outpost promotes them",
                    "expected scalar type \\w+ but found|mixed dtype \\(CPU\\)|Found dtype \\w+ but expected"
                            + "|result type \\w+ can't be cast to the desired output type"
                            + "|to have the same type as tensor|must be either float or double dtype"
                            + "|only supports floating-point dtypes|Expected dtype int64 for index"),
            refusal(
                    "PyTorch's factory is told that its integers require gradients; here a tensor is told, later",
                    "Only Tensors of floating point and complex dtype can require gradients"),
            refusal("PyTorch has no gradient towards the argument", "is not differentiable with respect to argument"));

    /**
     * The differences of calls whose form has no row in the table of ops. Only samples have such forms, because programs are drawn from
     * the table.
     */
    private static final List<Entry> FORMS = List.of(new Entry(
            "the table of ops by PyTorch's names has no such form",
            difference -> difference.ours() instanceof Broken broken
                    && broken.reason().startsWith(UnsupportedFormException.class.getName())));

    private final boolean ofSamples;

    /** @param ofSamples true if calls are PyTorch's own samples, in any form that PyTorch accepts */
    KnownDifferences(boolean ofSamples) {
        this.ofSamples = ofSamples;
    }

    private static Entry refusal(String reason, String words) {
        return new Entry(reason, difference -> isRefusedWith(difference, words));
    }

    private static boolean isRefusedWith(Difference difference, String words) {
        return difference.kind() == Kind.ONLY_PYTORCH_REFUSES
                && difference.theirs() instanceof Refused refused
                && Pattern.compile(words).matcher(refused.reason()).find();
    }

    private static Entry ownRefusal(String reason, String words) {
        return new Entry(reason, difference -> Causes.isOwnRefusal(difference, words));
    }

    /** Returns the first reason that applies. */
    Optional<String> reason(Difference difference) {
        return Stream.concat(entries(difference.kind()).stream(), ofSamples ? REFUSED_SAMPLES.stream() : Stream.empty())
                .filter(entry -> entry.applies().test(difference))
                .map(Entry::reason)
                .findFirst();
    }

    private List<Entry> entries(Kind kind) {
        return switch (kind) {
            case ONLY_PYTORCH_REFUSES -> ONLY_PYTORCH_REFUSES;
            case ONLY_OUTPOST_REFUSES -> ONLY_OUTPOST_REFUSES;
            case DTYPE, SHAPE, VALUE, REQUIRES_GRAD, GRADIENT_PRESENCE, PYTORCH_BREAKS -> VALUES;
            case OUTPOST_BREAKS -> ofSamples ? FORMS : List.of();
            case RUN_AS_A_WHOLE -> List.of();
        };
    }
}
