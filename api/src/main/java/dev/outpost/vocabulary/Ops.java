package dev.outpost.vocabulary;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All ops by PyTorch's names, with PyTorch's parameters, defaults and overloads:
 * {@code Ops.call("clamp", List.of(x), Map.of("min", 0))}.
 *
 * <p>Names are relative to {@code torch}: {@code add}, {@code nn.functional.layer_norm}, {@code linalg.inv}, {@code add_}; aliases such
 * as {@code multiply} are accepted. The first parameter of a method, {@code self}, is called {@code input}. An argument is a tensor, a
 * {@link ComplexTensor}, a number, a boolean, a word, a {@link dev.outpost.types.DType}, an {@link dev.outpost.Index}, a list or array
 * of those, or null for None. Thread-safe.
 */
public final class Ops {
    private static final OpRegistry OP_REGISTRY = OpTables.registry();

    private Ops() {}

    /**
     * Calls an op on the machine of its tensors.
     *
     * {@snippet file="TrainingExamplesTest.java" region="opsCall"}
     *
     * @param args the positional arguments
     * @param kwargs the keyword arguments
     * @return PyTorch's results, flattened in order; a number or a boolean becomes a tensor without dimensions, complex numbers become
     *     their pairs (view_as_real)
     * @throws OpException if there is no such op or parameter, or the op refuses its operands
     * @throws ArgumentTypeException if an argument has a type that no overload takes
     * @throws UnsupportedFormException if PyTorch accepts this form of the call, but Outpost does not support it
     */
    public static List<Tensor> call(String name, List<?> args, Map<String, ?> kwargs) {
        return call(machine(args, kwargs), OP_REGISTRY.row(name), args, kwargs);
    }

    /**
     * Like {@link #call(String, List, Map)}, but for ops that may have no tensor argument, such as {@code zeros} and
     * {@code arange}.
     */
    public static List<Tensor> call(RemoteMachine machine, String name, List<?> args, Map<String, ?> kwargs) {
        return call(machine, OP_REGISTRY.row(name), args, kwargs);
    }

    private static List<Tensor> call(
            @Nullable RemoteMachine machine, OpRegistry.Row row, List<?> args, Map<String, ?> kwargs) {
        Signatures signatures = row.signatures();
        OpCall call = new OpCall(signatures.op(), signatures, machine, args, signatures.keywords(args.size(), kwargs));
        try {
            List<Tensor> results = row.op().apply(call);
            call.requireAllRead();
            return results;
        } catch (ArgumentTypeException refusal) {
            throw refusal;
        } catch (OutpostException refusal) {
            // If an argument was not read yet, PyTorch may refuse the call for a different reason.
            if (refusal.kind() == FaultKind.USER) {
                call.requireAllRead();
            }
            throw refusal;
        }
    }

    private static @Nullable RemoteMachine machine(List<?> args, Map<String, ?> kwargs) {
        return Stream.concat(args.stream(), kwargs.values().stream())
                .flatMap(Ops::tensors)
                .map(Tensor::machine)
                .findFirst()
                .orElse(null);
    }

    private static Stream<Tensor> tensors(@Nullable Object argument) {
        return switch (argument) {
            case Tensor tensor -> Stream.of(tensor);
            case ComplexTensor numbers -> Stream.of(numbers.viewAsReal());
            case List<?> list -> list.stream().flatMap(Ops::tensors);
            case Object[] array -> Stream.of(array).flatMap(Ops::tensors);
            case null, default -> Stream.empty();
        };
    }

    /** Returns the names of all ops, sorted, without aliases. */
    public static Set<String> names() {
        return OP_REGISTRY.names();
    }

    /** True if an op has this name or alias. */
    public static boolean knows(String name) {
        return OP_REGISTRY.knows(name);
    }

    /**
     * Returns the op's overloads as PyTorch declares them, such as {@code clamp(Tensor input, Number? min=None,
     * Number? max=None)}.
     */
    public static List<String> signatures(String name) {
        return OP_REGISTRY.row(name).signatures().texts();
    }

    /** Returns the typed Java methods of the op: all overloads, ordered by their number of parameters. */
    public static List<Method> methods(String name) {
        return TypedMethods.of(OP_REGISTRY.row(name).signatures().op());
    }
}
