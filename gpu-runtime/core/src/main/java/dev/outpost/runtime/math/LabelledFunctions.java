package dev.outpost.runtime.math;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Pattern;

/**
 * Finds the functions of ops on floating numbers by the op's label. Each is a static method of {@link
 * SpecialFunctions}, or of {@link Math} if the JDK has it. The engines {@code reference} and {@code cpu} share these
 * functions, so a new op needs only a method in {@link SpecialFunctions}. If an op with one operand has no function,
 * the initialization of this class fails.
 */
public final class LabelledFunctions {
    private static final Pattern UNDERSCORE = Pattern.compile("_(\\w)");
    private static final Map<Op, Class<?>> OWNERS = new HashMap<>();
    private static final Map<Op, Object> FUNCTIONS = new HashMap<>();

    static {
        for (Unary op : Unary.values()) {
            if (op.isFloatingOnly() && !hasFunction(op, DoubleUnaryOperator.class)) {
                throw new IllegalStateException(
                        "neither SpecialFunctions nor Math has a function of doubles called " + name(op));
            }
        }
        for (Binary op : Binary.values()) {
            if (op.isFloatingOnly()) {
                hasFunction(op, DoubleBinaryOperator.class);
            }
        }
    }

    private LabelledFunctions() {}

    /** Returns the class with the op's static method on doubles. The op must be one that exists only for floating numbers. */
    public static Class<?> owner(Op op) {
        return known(OWNERS, op);
    }

    /** Returns the method's name: the op's label in camel case. */
    public static String name(Op op) {
        return UNDERSCORE.matcher(op.label()).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    /** Returns the op as a function of one number. The op must be one that exists only for floating numbers. */
    public static DoubleUnaryOperator of(Unary op) {
        return (DoubleUnaryOperator) known(FUNCTIONS, op);
    }

    /** Returns the op as a function of two numbers. The op must be one that exists only for floating numbers. */
    public static DoubleBinaryOperator of(Binary op) {
        return (DoubleBinaryOperator) known(FUNCTIONS, op);
    }

    private static <T> T known(Map<Op, T> functions, Op op) {
        T function = functions.get(op);
        if (function == null) {
            throw new IllegalStateException("no function of doubles is called " + name(op));
        }
        return function;
    }

    private static boolean hasFunction(Op op, Class<?> type) {
        MethodType doubles = MethodType.methodType(double.class, Collections.nCopies(op.arity(), double.class));
        for (Class<?> owner : List.of(SpecialFunctions.class, Math.class)) {
            if (Arrays.stream(owner.getMethods()).anyMatch(method -> isFunction(method, name(op), doubles))) {
                OWNERS.put(op, owner);
                FUNCTIONS.put(op, function(owner, name(op), doubles, type));
                return true;
            }
        }
        return false;
    }

    private static boolean isFunction(Method method, String name, MethodType doubles) {
        return method.getName().equals(name)
                && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .equals(doubles);
    }

    /** Creates the function like a method reference, because a call of it is then as fast. */
    private static Object function(Class<?> owner, String name, MethodType doubles, Class<?> type) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            MethodHandle method = lookup.findStatic(owner, name, doubles);
            return LambdaMetafactory.metafactory(
                            lookup, "applyAsDouble", MethodType.methodType(type), doubles, method, doubles)
                    .getTarget()
                    .invoke();
        } catch (Throwable impossible) {
            throw new IllegalStateException("the function " + name + " was found before", impossible);
        }
    }
}
