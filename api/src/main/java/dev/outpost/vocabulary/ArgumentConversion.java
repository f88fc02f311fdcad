package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.types.DType;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Converts arguments of a signature's parameter to the type of a Java parameter. */
record ArgumentConversion(Predicate<BoundArgument> accepts, Function<BoundArgument, @Nullable Object> read) {

    /** Returns null if the signature's type cannot be converted to the Java type. */
    static @Nullable ArgumentConversion of(SignatureParameter parameter, Class<?> type) {
        return switch (parameter.type().replace("?", "")) {
            case "", "Tensor" -> ofTensor(parameter, type);
            case "Tensor[]" -> ofTensors(type);
            case "Number", "float" -> ofReal(parameter, type);
            case "int" -> ofInteger(parameter, type);
            case "int[]" -> ofIntegers(parameter, type);
            case "float[]" ->
                type == double[].class
                        ? new ArgumentConversion(argument -> areNumbers(argument, true), BoundArgument::realsOrNull)
                        : null;
            case "bool" -> type == boolean.class ? ofFlag(parameter) : null;
            case "dtype" ->
                type == DType.class
                        ? new ArgumentConversion(BoundArgument::isPresent, argument -> argument.dtype(null))
                        : null;
            case "str" -> type.isEnum() ? ofWord(parameter, type.asSubclass(Enum.class)) : null;
            default -> null;
        };
    }

    private static boolean mayBeNone(SignatureParameter parameter) {
        return parameter.type().endsWith("?");
    }

    private static @Nullable ArgumentConversion ofTensor(SignatureParameter parameter, Class<?> type) {
        if (type == ComplexTensor.class) {
            return new ArgumentConversion(BoundArgument::isComplex, BoundArgument::complex);
        }
        if (type != Tensor.class) {
            return null;
        }
        return mayBeNone(parameter)
                ? new ArgumentConversion(
                        argument -> argument.isTensor() || !argument.isPresent(), BoundArgument::tensorOrNull)
                : new ArgumentConversion(BoundArgument::isTensor, BoundArgument::tensor);
    }

    private static @Nullable ArgumentConversion ofTensors(Class<?> type) {
        Predicate<BoundArgument> accepts =
                argument -> argument.isList() && argument.items().stream().allMatch(BoundArgument::isTensor);
        if (type == List.class) {
            return new ArgumentConversion(accepts, BoundArgument::tensors);
        }
        return type == Tensor[].class
                ? new ArgumentConversion(accepts, argument -> argument.tensors().toArray(Tensor[]::new))
                : null;
    }

    private static @Nullable ArgumentConversion ofReal(SignatureParameter parameter, Class<?> type) {
        if (type == double.class) {
            return ofPrimitive(parameter, argument -> argument.number().doubleValue());
        }
        if (type != Number.class) {
            return null;
        }
        return mayBeNone(parameter)
                ? new ArgumentConversion(ArgumentConversion::isNumberOrNone, argument -> argument.number(null))
                : new ArgumentConversion(BoundArgument::isNumber, BoundArgument::number);
    }

    private static @Nullable ArgumentConversion ofInteger(SignatureParameter parameter, Class<?> type) {
        if (type == Long.class) {
            return new ArgumentConversion(
                    ArgumentConversion::isNumberOrNone, argument -> argument.isPresent() ? argument.integer() : null);
        }
        if (type == long.class) {
            return ofPrimitive(parameter, BoundArgument::integer);
        }
        if (type == double.class) {
            return ofPrimitive(parameter, argument -> argument.number().doubleValue());
        }
        return ofDims(parameter, type);
    }

    private static @Nullable ArgumentConversion ofIntegers(SignatureParameter parameter, Class<?> type) {
        if (type == long[].class) {
            boolean mayBeNone = mayBeNone(parameter);
            return new ArgumentConversion(
                    argument -> areNumbers(argument, mayBeNone),
                    argument -> mayBeNone && !argument.isPresent() ? new long[0] : argument.sizes());
        }
        return type == Long[].class
                ? new ArgumentConversion(argument -> true, BoundArgument::sizesOrNone)
                : ofDims(parameter, type);
    }

    /** One number may stand for a list, and a list may be missing. */
    private static @Nullable ArgumentConversion ofDims(SignatureParameter parameter, Class<?> type) {
        if (type == int.class) {
            return ofPrimitive(parameter, BoundArgument::dim);
        }
        boolean mayLack = mayBeNone(parameter) || parameter.isOptional();
        return type == int[].class
                ? new ArgumentConversion(argument -> areNumbers(argument, mayLack), BoundArgument::dims)
                : null;
    }

    /** Reads a number. None stands for the default if the signature permits it. */
    private static ArgumentConversion ofPrimitive(SignatureParameter parameter, Function<BoundArgument, Object> read) {
        boolean hasDefault = mayBeNone(parameter) && parameter.byDefault() != null;
        return new ArgumentConversion(
                argument -> argument.isNumber() || hasDefault && !argument.isPresent(),
                argument -> read.apply(hasDefault ? argument.orElse(parameter.byDefault()) : argument));
    }

    private static ArgumentConversion ofFlag(SignatureParameter parameter) {
        boolean byDefault = Boolean.TRUE.equals(parameter.byDefault());
        return new ArgumentConversion(ArgumentConversion::isNumberOrNone, argument -> argument.bool(byDefault));
    }

    /** Reads a word. None stands for the default if there is one. */
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ArgumentConversion ofWord(SignatureParameter parameter, Class<? extends Enum> constants) {
        return new ArgumentConversion(BoundArgument::isText, argument -> {
            BoundArgument word = argument.orElse(parameter.byDefault());
            if (!word.isPresent()) {
                throw argument.unsupported("a word");
            }
            return word.choice(constants, null);
        });
    }

    private static boolean isNumberOrNone(BoundArgument argument) {
        return argument.isNumber() || !argument.isPresent();
    }

    private static boolean areNumbers(BoundArgument argument, boolean mayLack) {
        if (!argument.isPresent()) {
            return mayLack;
        }
        return argument.isNumber()
                || argument.isList() && argument.items().stream().allMatch(BoundArgument::isNumber);
    }
}
