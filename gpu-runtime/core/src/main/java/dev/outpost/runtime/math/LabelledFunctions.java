package dev.outpost.runtime.math;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Pattern;

/**
 * The functions that ops of floating numbers are, found by the op's label: a static method of {@link SpecialFunctions}, or of {@link
 * Math} where the JDK has it. The engines {@code reference} and {@code cpu} share them, so that a new op is a method there and no arm
 * here. An op without a function fails as soon as this class is used.
 */
public final class LabelledFunctions {
    private static final MethodType DOUBLE_TO_DOUBLE = MethodType.methodType(double.class, double.class);
    private static final Pattern UNDERSCORE = Pattern.compile("_(\\w)");
    private static final Map<Unary, Class<?>> OWNERS = new EnumMap<>(Unary.class);
    private static final Map<Unary, DoubleUnaryOperator> FUNCTIONS = new EnumMap<>(Unary.class);

    static {
        for (Unary op : Unary.values()) {
            if (op.isFloatingOnly()) {
                Class<?> owner = findOwner(name(op));
                OWNERS.put(op, owner);
                FUNCTIONS.put(op, function(owner, name(op)));
            }
        }
    }

    private LabelledFunctions() {}

    /** The class whose static method of doubles the op is, under its label. Of ops of floating numbers only. */
    public static Class<?> owner(Unary op) {
        return OWNERS.get(op);
    }

    /** The method's name: the op's label in Java's case style. */
    public static String name(Op op) {
        return UNDERSCORE.matcher(op.label()).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    /** The op as a function of one number. Of ops of floating numbers only. */
    public static DoubleUnaryOperator of(Unary op) {
        return FUNCTIONS.get(op);
    }

    private static Class<?> findOwner(String label) {
        return List.of(SpecialFunctions.class, Math.class).stream()
                .filter(owner -> Arrays.stream(owner.getMethods()).anyMatch(method -> isFunction(method, label)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "neither SpecialFunctions nor Math has a function of doubles called " + label));
    }

    private static boolean isFunction(Method method, String label) {
        return method.getName().equals(label)
                && method.getReturnType() == double.class
                && Arrays.equals(method.getParameterTypes(), new Class<?>[] {double.class});
    }

    /** As a method reference, so that it is as fast as one. */
    private static DoubleUnaryOperator function(Class<?> owner, String label) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            MethodHandle method = lookup.findStatic(owner, label, DOUBLE_TO_DOUBLE);
            return (DoubleUnaryOperator) LambdaMetafactory.metafactory(
                            lookup,
                            "applyAsDouble",
                            MethodType.methodType(DoubleUnaryOperator.class),
                            DOUBLE_TO_DOUBLE,
                            method,
                            DOUBLE_TO_DOUBLE)
                    .getTarget()
                    .invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException("the function " + label + " was found before", impossible);
        }
    }
}
