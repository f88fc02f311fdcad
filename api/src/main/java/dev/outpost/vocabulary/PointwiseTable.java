package dev.outpost.vocabulary;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Elementwise functions, arithmetic, casts, comparisons, activations. */
final class PointwiseTable {
    private static final Map<String, UnaryOperator<Tensor>> GELUS =
            Map.of("none", Tensor::gelu, "tanh", Tensor::geluTanh);

    private PointwiseTable() {}

    static void addTo(OpRegistry registry) {
        addReflected(registry);
        addChoices(registry);
        addSpecial(registry);
        addCasts(registry);
        addActivations(registry);
    }

    /** Calls an op with {@code alpha}, the factor of the second operand. */
    private static Tensor scaled(OpCall call, Scaled op, BiFunction<Tensor, Number, Tensor> withNumber) {
        Tensor self = call.self();
        BoundArgument other = call.at(1, "other");
        return other.isNumber()
                ? withNumber.apply(self, other.number())
                : op.apply(self, other.tensor(), call.named("alpha").number(1));
    }

    private interface Scaled {
        Tensor apply(Tensor self, Tensor other, Number alpha);
    }

    /** The operands are exchanged in Java: {@code x.__rsub__(y)} is {@code y.sub(x)}. */
    private static void addReflected(OpRegistry registry) {
        registry.binary("__radd__", (self, other) -> other.add(self), Tensor::add);
        registry.binary("__rsub__", (self, other) -> other.sub(self), Tensor::rsub);
        registry.binary("__rdiv__", (self, other) -> other.div(self), Tensor::rdiv);
        registry.binary("__rmod__", (self, other) -> other.remainder(self));
        // PyTorch copies the base, so that no gradient flows to it.
        registry.binary("__rpow__", (self, other) -> other.detach().pow(self), Tensor::rpow);
        registry.binary("__rmatmul__", (self, other) -> other.matmul(self));
        registry.binary("__rand__", (self, other) -> other.bitwiseAnd(self), Tensor::bitwiseAnd);
        registry.binary("__ror__", (self, other) -> other.bitwiseOr(self), Tensor::bitwiseOr);
        registry.binary("__rxor__", (self, other) -> other.bitwiseXor(self), Tensor::bitwiseXor);
        registry.one("rsub", call -> scaled(call, (self, other, alpha) -> other.sub(self, alpha), Tensor::rsub));
    }

    private static void addChoices(OpRegistry registry) {
        registry.one("where", PointwiseTable::where);
        registry.one("fill", call -> fill(call.self().clone(), call.at(1, "value")));
    }

    private static Tensor where(OpCall call) {
        Tensor condition = call.at(0, "condition").tensor();
        BoundArgument input = call.at(1, "input");
        BoundArgument other = call.at(2, "other");
        if (!input.isTensor()) {
            throw input.unsupported("a tensor");
        }
        return other.isNumber()
                ? input.tensor().where(condition, other.number())
                : input.tensor().where(condition, other.tensor());
    }

    private static Tensor fill(Tensor target, BoundArgument value) {
        return value.isTensor() ? target.fill_(value.tensor()) : target.fill_(value.number());
    }

    private static void addSpecial(OpRegistry registry) {
        registry.typed("polygamma", "input n");
        registry.typed("special.polygamma", "input n");
    }

    private static void addCasts(OpRegistry registry) {
        Map.of(
                        "double", DType.FLOAT64,
                        "float", DType.FLOAT32,
                        "half", DType.FLOAT16,
                        "bfloat16", DType.BFLOAT16,
                        "long", DType.INT64,
                        "int", DType.INT32,
                        "short", DType.INT16,
                        "char", DType.INT8,
                        "byte", DType.UINT8,
                        "bool", DType.BOOL)
                .forEach((name, dtype) -> registry.unary(name, self -> self.to(dtype)));
    }

    private static void addActivations(OpRegistry registry) {
        registry.one(
                "nn.functional.gelu",
                call -> call.named("approximate").choice(GELUS, Tensor::gelu).apply(call.self()));
        registry.one(
                "nn.functional.softplus",
                call -> call.self()
                        .softplus(
                                call.at(1, "beta").real(1),
                                call.at(2, "threshold").real(20)));
        registry.one("softmax", call -> cast(call).softmax(call.at(1, "dim").dim()));
        registry.one(
                "log_softmax", call -> cast(call).logSoftmax(call.at(1, "dim").dim()));
        registry.one(
                "nn.functional.softmin",
                call -> Scope.tidy(() ->
                        cast(call, call.self().neg()).softmax(call.at(1, "dim").dim())));
    }

    private static Tensor cast(OpCall call) {
        return cast(call, call.self());
    }

    private static Tensor cast(OpCall call, Tensor tensor) {
        return tensor.to(call.dtype(tensor.dtype()));
    }
}
