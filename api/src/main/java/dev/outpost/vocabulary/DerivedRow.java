package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A row derived from the op's signatures and the typed methods of its name. Each pair of a signature and a method that fits it is a form
 * of the op. A call takes the first form that has all of its arguments. A call with a further argument is refused.
 */
final class DerivedRow {
    /**
     * An operand of a form.
     *
     * @param place the position in the signature
     * @param isRest true if the operand is a list that a call may give item by item
     */
    private record FormOperand(
            SignatureParameter parameter, int place, boolean isPlaced, boolean isRest, ArgumentConversion conversion) {
        BoundArgument of(OpCall call) {
            if (isRest && (parameter.type().startsWith("Tensor") || call.hasMoreThan(place + 1))) {
                List<@Nullable Object> items = new ArrayList<>();
                call.rest(place).forEach(item -> items.add(item.value()));
                return new BoundArgument(call, parameter.name(), items, true);
            }
            return isPlaced ? call.at(place, parameter.name()) : call.named(parameter.name());
        }
    }

    /** The method for one signature. */
    private static final class Form {
        private final Signature signature;
        private final List<FormOperand> operands;
        private final Method method;
        /** Null before the first call: creating a handle is slow, and a program calls few ops by name. */
        private @Nullable MethodHandle handle;

        Form(Signature signature, List<FormOperand> operands, Method method) {
            this.signature = signature;
            this.operands = operands;
            this.method = method;
        }

        List<Tensor> call(OpCall call) {
            call.readDefaults(signature);
            Object[] arguments = operands.stream()
                    .map(operand -> operand.conversion().read().apply(operand.of(call)))
                    .toArray();
            // An op that writes in place must not run before the call is refused.
            call.requireAllRead();
            MethodHandle known = handle;
            if (known == null) {
                known = TypedMethods.handle(call.op(), method);
                handle = known;
            }
            return tensors(call, TypedMethods.invoke(known, arguments)).toList();
        }

        boolean accepts(OpCall call) {
            return operands.stream()
                    .allMatch(operand -> operand.conversion().accepts().test(operand.of(call)));
        }

        boolean acceptsAll(OpCall call) {
            call.readDefaults(signature);
            return accepts(call) && call.isAllRead();
        }
    }

    private DerivedRow() {}

    /** Derives a row whose methods have the first parameters of a signature in its order. */
    static Function<OpCall, List<Tensor>> of(Signatures declared) {
        List<Form> forms = new ArrayList<>();
        for (Signature signature : declared.overloads()) {
            for (Method method : TypedMethods.of(declared.op()).reversed()) {
                int operands = TypedMethods.operands(method).size();
                if (operands <= signature.parameters().size()) {
                    add(forms, signature, signature.parameters().subList(0, operands), method);
                }
            }
        }
        return of(declared.op(), forms);
    }

    /**
     * Derives a row whose methods have some parameters of a signature in another order.
     *
     * @param orders for each form, the names of the signature's parameters in the method's order, separated by spaces
     */
    static Function<OpCall, List<Tensor>> of(Signatures declared, String... orders) {
        List<Form> forms = new ArrayList<>();
        for (String order : orders) {
            List<String> names = List.of(order.split(" "));
            for (Signature signature : declared.overloads()) {
                if (names.stream().allMatch(signature::has)) {
                    List<SignatureParameter> parameters =
                            names.stream().map(signature::parameter).toList();
                    TypedMethods.of(declared.op()).forEach(method -> add(forms, signature, parameters, method));
                }
            }
        }
        return of(declared.op(), forms);
    }

    private static Function<OpCall, List<Tensor>> of(String op, List<Form> forms) {
        if (forms.isEmpty()) {
            throw new IllegalStateException(op + " has neither a row nor a typed method of its signature");
        }
        return forms.size() == 1
                ? forms.getFirst()::call
                : call -> chosen(forms, call).call(call);
    }

    private static Form chosen(List<Form> forms, OpCall call) {
        List<Form> accepting = forms.stream()
                .filter(form -> call.peeking(() -> form.accepts(call)))
                .toList();
        return accepting.stream()
                .filter(form -> call.peeking(() -> form.acceptsAll(call)))
                .findFirst()
                .orElse(accepting.isEmpty() ? forms.getFirst() : accepting.getFirst());
    }

    /** Adds the form of a method if its parameters accept the signature's parameters. */
    private static void add(List<Form> forms, Signature signature, List<SignatureParameter> parameters, Method method) {
        List<Class<?>> types = TypedMethods.operands(method);
        boolean hasReceiver = !Modifier.isStatic(method.getModifiers());
        if (types.size() != parameters.size()
                || !isResult(method.getReturnType())
                || hasReceiver && !method.getDeclaringClass().isAssignableFrom(Tensor.class)) {
            return;
        }
        List<FormOperand> operands = new ArrayList<>();
        for (int index = 0; index < types.size(); index++) {
            SignatureParameter parameter = parameters.get(index);
            ArgumentConversion conversion = ArgumentConversion.of(parameter, types.get(index));
            if (conversion == null) {
                return;
            }
            int place = signature.parameters().indexOf(parameter);
            operands.add(new FormOperand(
                    parameter,
                    place,
                    place < signature.keywordsFrom(),
                    place == signature.restPlace() && types.get(index).isArray(),
                    conversion));
        }
        forms.add(new Form(signature, operands, method));
    }

    private static boolean isResult(Class<?> type) {
        return type == Tensor.class
                || type == ComplexTensor.class
                || type == boolean.class
                || type == List.class
                || type.isRecord();
    }

    /** Returns the tensors of a result in the order of PyTorch's tuple. A record has its components in that order; null is left out. */
    private static Stream<Tensor> tensors(OpCall call, @Nullable Object result) {
        return switch (result) {
            case null -> Stream.empty();
            case Tensor tensor -> Stream.of(tensor);
            case ComplexTensor numbers -> Stream.of(numbers.viewAsReal());
            case Boolean bool -> Stream.of(call.machine().scalar(bool));
            case List<?> list -> list.stream().flatMap(item -> tensors(call, item));
            default ->
                Arrays.stream(result.getClass().getRecordComponents())
                        .map(component -> component(result, component))
                        .filter(Objects::nonNull)
                        .flatMap(component -> tensors(call, component));
        };
    }

    private static @Nullable Object component(Object result, RecordComponent component) {
        try {
            return component.getAccessor().invoke(result);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(component + " is a component of a public record", failure);
        }
    }
}
