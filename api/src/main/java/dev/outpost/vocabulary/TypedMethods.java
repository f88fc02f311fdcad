package dev.outpost.vocabulary;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.complex.Eigenvalues;
import dev.outpost.complex.Fft;
import dev.outpost.complex.Stft;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.Functional;
import dev.outpost.ops.Masked;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the Java methods of an op: PyTorch's name in camel case, in the class for its package. */
final class TypedMethods {
    private static final Pattern UNDERSCORE = Pattern.compile("_(\\w)");

    /** For each package of PyTorch, the classes that are searched first. */
    private static final Map<String, List<Class<?>>> OWNERS = Map.of(
            "nn", List.of(Functional.class, Tensor.class),
            "linalg", List.of(Linalg.class, Eigenvalues.class, Tensor.class, Tensors.class),
            "masked", List.of(Masked.class),
            "fft", List.of(Fft.class));

    private static final List<Class<?>> OTHERS = List.of(
            Tensor.class,
            Tensors.class,
            RemoteMachine.class,
            Linalg.class,
            ComplexTensor.class,
            Stft.class,
            Functional.class);

    /** Java names that differ from PyTorch's. */
    private static final Map<String, String> OTHER_NAMES = Map.ofEntries(
            Map.entry("__getitem__", "get"),
            Map.entry("__setitem__", "set"),
            Map.entry("__radd__", "add"),
            Map.entry("__rand__", "bitwiseAnd"),
            Map.entry("__rdiv__", "rdiv"),
            Map.entry("__rmatmul__", "matmul"),
            Map.entry("__rmod__", "remainder"),
            Map.entry("__rmul__", "mul"),
            Map.entry("__ror__", "bitwiseOr"),
            Map.entry("__rpow__", "rpow"),
            Map.entry("__rsub__", "rsub"),
            Map.entry("__rxor__", "bitwiseXor"),
            Map.entry("byte", "to"),
            Map.entry("char", "to"),
            Map.entry("double", "float64"),
            Map.entry("float", "float32"),
            Map.entry("half", "float16"),
            Map.entry("int", "int32"),
            Map.entry("long", "int64"),
            Map.entry("short", "to"),
            Map.entry("bitwise_left_shift", "leftShift"),
            Map.entry("bitwise_right_shift", "rightShift"),
            Map.entry("linalg.ldl_factor", "ldlFactorEx"),
            Map.entry("pinverse", "pinv"),
            Map.entry("trapz", "trapezoid"),
            Map.entry("conj_physical", "conj"),
            Map.entry("resolve_conj", "conj"),
            Map.entry("resolve_neg", "real"),
            Map.entry("constant_pad_nd", "pad"),
            Map.entry("fill", "fill_"),
            Map.entry("resize_as_", "resize_"),
            Map.entry("split_with_sizes", "split"),
            Map.entry("true_divide", "div"),
            Map.entry("softmin", "softmax"),
            Map.entry("symeig", "eigh"),
            Map.entry("triangular_solve", "solveTriangular"),
            Map.entry("nn.functional._scaled_dot_product_attention", "scaledDotProductAttention"),
            Map.entry("nn.functional.softmin", "softmax"),
            Map.entry("nn.functional.upsample", "interpolate"),
            Map.entry("nn.functional.upsample_bilinear", "interpolate"),
            Map.entry("nn.functional.upsample_nearest", "interpolate"),
            Map.entry("fft.rfft2", "rfftn"),
            Map.entry("fft.irfft2", "irfftn"));

    /** The methods of each class by name. The cache helps because all rows are created at once. */
    private static final Map<Class<?>, Map<String, List<Method>>> METHODS = new ConcurrentHashMap<>();

    private TypedMethods() {}

    /** Returns all overloads in the first class that has such methods, ordered by their number of parameters; empty if none exists. */
    static List<Method> of(String op) {
        return owner(op).map(owner -> methods(owner, name(op))).orElse(List.of());
    }

    private static Optional<Class<?>> owner(String op) {
        String family = op.contains(".") ? op.substring(0, op.indexOf('.')) : "";
        return Stream.concat(OWNERS.getOrDefault(family, List.of()).stream(), OTHERS.stream())
                .filter(owner -> !methods(owner, name(op)).isEmpty())
                .findFirst();
    }

    private static String name(String op) {
        return OTHER_NAMES.getOrDefault(op, camel(op.substring(op.lastIndexOf('.') + 1)));
    }

    /** Returns the types of a method's operands. The receiver comes first. */
    static List<Class<?>> operands(Method method) {
        Stream<Class<?>> parameters = Arrays.stream(method.getParameterTypes());
        return Modifier.isStatic(method.getModifiers())
                ? parameters.toList()
                : Stream.concat(Stream.of(Tensor.class), parameters).toList();
    }

    /**
     * Returns a handle that takes its operands as one array. It is looked up in the public owner class, because the declaring class is
     * not public.
     */
    static MethodHandle handle(String op, Method method) {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        Class<?> owner = owner(op).orElseThrow();
        try {
            MethodHandle handle = Modifier.isStatic(method.getModifiers())
                    ? lookup.findStatic(owner, method.getName(), type)
                    : lookup.findVirtual(owner, method.getName(), type);
            return handle.asFixedArity()
                    .asSpreader(Object[].class, handle.type().parameterCount());
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(method + " is a public method of " + owner, failure);
        }
    }

    static @Nullable Object invoke(MethodHandle handle, Object[] operands) {
        try {
            return handle.invoke(operands);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException("a typed method throws no checked exception", failure);
        }
    }

    private static List<Method> methods(Class<?> owner, String name) {
        return METHODS.computeIfAbsent(owner, TypedMethods::methods).getOrDefault(name, List.of()).stream()
                .sorted(Comparator.comparing(Method::getParameterCount).thenComparing(Method::toGenericString))
                .toList();
    }

    private static Map<String, List<Method>> methods(Class<?> owner) {
        boolean hasInstances = owner == Tensor.class || owner == RemoteMachine.class || owner == ComplexTensor.class;
        return Arrays.stream(owner.getMethods())
                .filter(method -> !method.isBridge() && (hasInstances || Modifier.isStatic(method.getModifiers())))
                .collect(Collectors.groupingBy(Method::getName));
    }

    /** Converts a name to camel case. Keeps a trailing underscore, which marks an op that writes in place. */
    private static String camel(String name) {
        return UNDERSCORE.matcher(name).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }
}
