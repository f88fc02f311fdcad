package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The argument of a call for one parameter.
 *
 * @param value a tensor, number, boolean, word, dtype, index, list or array; null is Python's None or a missing argument
 * @param isGiven true if the call has the argument, false if the value is the signature's default
 */
record BoundArgument(OpCall call, String name, @Nullable Object value, boolean isGiven) {

    /** True if the value is not None. */
    boolean isPresent() {
        return value != null;
    }

    boolean isList() {
        return value instanceof List || value != null && value.getClass().isArray();
    }

    boolean isTensor() {
        return value instanceof Tensor;
    }

    boolean isComplex() {
        return value instanceof ComplexTensor;
    }

    boolean isText() {
        return value instanceof String;
    }

    boolean isBool() {
        return value instanceof Boolean;
    }

    boolean isNumber() {
        return value instanceof Number || isBool();
    }

    private boolean isFraction() {
        return value instanceof Double || value instanceof Float;
    }

    // ---- tensors

    Tensor tensor() {
        if (isNumber() || isText()) {
            throw wrongType("a tensor");
        }
        if (value instanceof Tensor tensor) {
            return tensor;
        }
        throw unsupported("a tensor");
    }

    /** Returns the complex value. Real numbers are converted. */
    ComplexTensor complex() {
        return value instanceof ComplexTensor numbers ? numbers : ComplexTensor.of(tensor());
    }

    Tensor tensorOrNull() {
        return isPresent() ? tensor() : null;
    }

    List<Tensor> tensors() {
        return items().stream().map(BoundArgument::tensor).toList();
    }

    List<BoundArgument> items() {
        return switch (value) {
            case List<?> list -> list.stream().map(this::item).toList();
            case Object[] array -> Arrays.stream(array).map(this::item).toList();
            case long[] array -> Arrays.stream(array).mapToObj(this::item).toList();
            case int[] array -> Arrays.stream(array).mapToObj(this::item).toList();
            case double[] array -> Arrays.stream(array).mapToObj(this::item).toList();
            case null, default -> throw unsupported("a list");
        };
    }

    private BoundArgument item(@Nullable Object item) {
        return new BoundArgument(call, name, item, true);
    }

    // ---- numbers; PyTorch takes booleans for them

    Number number() {
        if (isFraction()) {
            return ((Number) value).doubleValue();
        }
        if (isNumber()) {
            return integer();
        }
        throw isTensor() || isText() ? wrongType("a number") : unsupported("a number");
    }

    Number number(Number otherwise) {
        return isPresent() ? number() : otherwise;
    }

    double real(double otherwise) {
        return number(otherwise).doubleValue();
    }

    long integer() {
        if (value instanceof Number integer && !isFraction()) {
            return integer.longValue();
        }
        if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        }
        throw isText() ? wrongType("an integer") : unsupported("an integer");
    }

    long integer(long otherwise) {
        return isPresent() ? integer() : otherwise;
    }

    int dim() {
        return Math.toIntExact(integer());
    }

    int dim(int otherwise) {
        return isPresent() ? dim() : otherwise;
    }

    /** Returns one dimension or a list of dimensions; an empty array if the argument is missing. */
    int[] dims() {
        if (!isPresent()) {
            return new int[0];
        }
        return isList() ? items().stream().mapToInt(BoundArgument::dim).toArray() : new int[] {dim()};
    }

    /** Returns two dimensions, for methods that have one parameter for each. */
    int[] dimPair() {
        int[] dims = dims();
        if (dims.length != 2) {
            throw wrongType("two dimensions");
        }
        return dims;
    }

    /** Returns one size or a list of sizes. */
    long[] sizes() {
        return isList() ? items().stream().mapToLong(BoundArgument::integer).toArray() : new long[] {integer()};
    }

    /** Returns two sizes. A single number stands for both. */
    long[] sizePair(long otherwise) {
        return isList() ? sizes() : new long[] {integer(otherwise), integer(otherwise)};
    }

    /** Returns one size or a list of sizes. A size that is None becomes null. */
    @Nullable
    Long[] sizesOrNone() {
        List<BoundArgument> sizes = isList() ? items() : List.of(this);
        return sizes.stream()
                .map(size -> size.isPresent() ? (Long) size.integer() : null)
                .toArray(Long[]::new);
    }

    /** Returns a list of numbers; null if the argument is missing. */
    double @Nullable [] realsOrNull() {
        return isPresent() ? items().stream().mapToDouble(item -> item.real(0)).toArray() : null;
    }

    /** Returns this argument, or an argument with the given value if this argument is None. */
    BoundArgument orElse(@Nullable Object otherwise) {
        return isPresent() ? this : new BoundArgument(call, name, otherwise, false);
    }

    boolean bool(boolean otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (isFraction() || !isNumber()) {
            throw unsupported("a boolean");
        }
        return integer() != 0;
    }

    // ---- words and dtypes

    String text(String otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (value instanceof String text) {
            return text;
        }
        throw unsupported("a word");
    }

    /** Returns the constant that PyTorch's word stands for. */
    <T> T choice(Map<String, T> constants, T otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        T constant = constants.get(text(""));
        if (constant == null) {
            throw wrongType("one of " + constants.keySet().stream().sorted().toList());
        }
        return constant;
    }

    /** Like {@link #choice(Map, Object)}, but for an enum whose constants have PyTorch's words in upper case. */
    <E extends Enum<E>> E choice(Class<E> constants, E otherwise) {
        return choice(words(constants), otherwise);
    }

    static <E extends Enum<E>> Map<String, E> words(Class<E> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .collect(Collectors.toMap(constant -> constant.name().toLowerCase(Locale.ROOT), constant -> constant));
    }

    DType dtype(DType otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (value instanceof DType dtype) {
            return dtype;
        }
        throw unsupported("a dtype");
    }

    // ---- errors

    UnsupportedFormException unsupported(String expected) {
        return new UnsupportedFormException(call.op(), name + " other than " + expected + ", got " + value);
    }

    private ArgumentTypeException wrongType(String expected) {
        return new ArgumentTypeException(call.op(), name, expected, value);
    }
}
