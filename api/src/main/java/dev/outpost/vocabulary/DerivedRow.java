package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A row derived from the op's signatures and the typed method of its name. The parameters of the method are the first ones of a
 * signature. A call with a further argument is refused.
 */
final class DerivedRow {
    /** Converts an argument to the type of a Java parameter. */
    private interface Reader {
        @Nullable
        Object read(BoundArgument argument);
    }

    /** The method for one signature. */
    private static final class Form {
        private final Signature signature;
        private final List<Reader> readers;
        private final Method method;
        /** Null before the first call: creating a handle is slow, and a program calls few ops by name. */
        private @Nullable MethodHandle handle;

        Form(Signature signature, List<Reader> readers, Method method) {
            this.signature = signature;
            this.readers = readers;
            this.method = method;
        }

        Tensor call(OpCall call) {
            Object[] arguments = new Object[readers.size()];
            for (int place = 0; place < arguments.length; place++) {
                String name = signature.parameters().get(place).name();
                boolean isPlaced = place < signature.keywordsFrom();
                arguments[place] = readers.get(place).read(isPlaced ? call.at(place, name) : call.named(name));
            }
            MethodHandle known = handle == null ? TypedMethods.handle(call.op(), method) : handle;
            handle = known;
            return TypedMethods.invoke(known, arguments);
        }

        boolean takesNumber() {
            return readers.size() > 1 && !signature.parameters().get(1).type().startsWith("Tensor");
        }
    }

    private DerivedRow() {}

    static Function<OpCall, Tensor> of(Signatures declared) {
        List<Form> forms = new ArrayList<>();
        declared.overloads().forEach(signature -> {
            Form form = form(signature, declared.op());
            if (form != null) {
                forms.add(form);
            }
        });
        if (forms.isEmpty()) {
            throw new IllegalStateException(declared.op() + " has neither a row nor a typed method of its signature");
        }
        Form first = forms.getFirst();
        Form other = forms.stream()
                .filter(form -> form.readers.size() == first.readers.size())
                .filter(form -> form.takesNumber() != first.takesNumber())
                .findFirst()
                .orElse(first);
        if (other == first) {
            return first::call;
        }
        Form withNumber = first.takesNumber() ? first : other;
        Form withTensor = first.takesNumber() ? other : first;
        return call -> (call.at(1, "other").isNumber() ? withNumber : withTensor).call(call);
    }

    /** Returns the form for the method that accepts most of the signature's parameters, or null if no method fits. */
    private static @Nullable Form form(Signature signature, String op) {
        for (Method method : TypedMethods.of(op).reversed()) {
            List<Class<?>> types = TypedMethods.operands(method);
            List<@Nullable Reader> readers = IntStream.range(0, types.size())
                    .mapToObj(place -> place < signature.parameters().size()
                            ? reader(signature.parameters().get(place), types.get(place))
                            : null)
                    .toList();
            if (method.getReturnType() == Tensor.class && readers.stream().allMatch(reader -> reader != null)) {
                return new Form(signature, readers, method);
            }
        }
        return null;
    }

    /** Returns null if the signature's type cannot be converted to the Java type. */
    private static @Nullable Reader reader(SignatureParameter parameter, Class<?> type) {
        return switch (parameter.type()) {
            case "", "Tensor" -> type == Tensor.class ? BoundArgument::tensor : null;
            case "Tensor?" -> type == Tensor.class ? BoundArgument::tensorOrNull : null;
            case "Number", "float" ->
                type == Number.class
                        ? BoundArgument::number
                        : type == double.class ? argument -> argument.number().doubleValue() : null;
            case "float?" -> type == Number.class ? argument -> argument.number(null) : null;
            case "int" -> type == int.class ? BoundArgument::dim : type == long.class ? BoundArgument::integer : null;
            case "int[]" ->
                type == int[].class ? BoundArgument::dims : type == long[].class ? BoundArgument::sizes : null;
            case "int[]?" -> type == int[].class ? BoundArgument::dims : null;
            case "bool" -> type == boolean.class ? argument -> argument.bool(false) : null;
            default -> null;
        };
    }
}
