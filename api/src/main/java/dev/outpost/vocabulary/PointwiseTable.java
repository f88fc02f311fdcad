package dev.outpost.vocabulary;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.DivMode;
import dev.outpost.ops.MantissaAndExponent;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Elementwise functions, arithmetic, casts, comparisons, activations. */
final class PointwiseTable {
    static final Map<String, DivMode> ROUNDINGS = Map.of("trunc", DivMode.TRUNC, "floor", DivMode.FLOOR);

    private static final Map<String, UnaryOperator<Tensor>> GELUS =
            Map.of("none", Tensor::gelu, "tanh", Tensor::geluTanh);

    private PointwiseTable() {}

    static void addTo(OpRegistry registry) {
        addFunctions(registry);
        addArithmetic(registry);
        addReflected(registry);
        addChoices(registry);
        addCombinations(registry);
        addSpecial(registry);
        addCasts(registry);
        addComparisons(registry);
        addActivations(registry);
    }

    private static void addFunctions(OpRegistry registry) {
        registry.one("round", call -> call.self().round(call.at(1, "decimals").dim(0)));
        registry.one("logit", PointwiseTable::logit);
    }

    private static Tensor logit(OpCall call) {
        BoundArgument eps = call.at(1, "eps");
        return eps.isPresent() ? call.self().logit(eps.real(0)) : call.self().logit();
    }

    private static void addArithmetic(OpRegistry registry) {
        registry.one("add", call -> scaled(call, Tensor::add, Tensor::add));
        registry.one("sub", call -> scaled(call, Tensor::sub, Tensor::sub));
        registry.one("div", PointwiseTable::div);
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

    private static Tensor div(OpCall call) {
        Tensor self = call.self();
        BoundArgument other = call.at(1, "other");
        DivMode mode = call.named("rounding_mode").choice(ROUNDINGS, null);
        if (other.isNumber()) {
            return mode == null ? self.div(other.number()) : self.div(other.number(), mode);
        }
        return mode == null ? self.div(other.tensor()) : self.div(other.tensor(), mode);
    }

    /** In Java the operands change places: {@code x.__rsub__(y)} is {@code y.sub(x)}. */
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
        registry.one("clamp", PointwiseTable::clamp);
        registry.one("where", PointwiseTable::where);
        registry.one("masked_fill", PointwiseTable::maskedFill);
        registry.one("fill", call -> fill(call.self().clone(), call.at(1, "value")));
    }

    private static Tensor clamp(OpCall call) {
        Tensor self = call.self();
        BoundArgument min = call.at(1, "min");
        BoundArgument max = call.at(2, "max");
        return min.isNumber() || max.isNumber()
                ? self.clamp(min.number(null), max.number(null))
                : self.clamp(min.tensorOrNull(), max.tensorOrNull());
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

    private static Tensor maskedFill(OpCall call) {
        Tensor mask = call.at(1, "mask").tensor();
        BoundArgument value = call.at(2, "value");
        return value.isTensor()
                ? call.self().maskedFill(mask, value.tensor())
                : call.self().maskedFill(mask, value.number());
    }

    private static Tensor fill(Tensor target, BoundArgument value) {
        return value.isTensor() ? target.fill_(value.tensor()) : target.fill_(value.number());
    }

    private static void addCombinations(OpRegistry registry) {
        registry.one("lerp", PointwiseTable::lerp);
    }

    private static Tensor lerp(OpCall call) {
        Tensor end = call.at(1, "end").tensor();
        BoundArgument weight = call.at(2, "weight");
        return weight.isNumber()
                ? call.self().lerp(end, weight.number())
                : call.self().lerp(end, weight.tensor());
    }

    private static void addSpecial(OpRegistry registry) {
        registry.many("frexp", call -> {
            MantissaAndExponent result = call.self().frexp();
            return List.of(result.mantissa(), result.exponent());
        });
        registry.one("polygamma", PointwiseTable::polygamma);
        registry.one("special.polygamma", PointwiseTable::polygamma);
    }

    /** PyTorch's function takes the order first; the Java method takes it second. */
    private static Tensor polygamma(OpCall call) {
        return call.at(1, "input").tensor().polygamma(call.at(0, "n").dim());
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

    private static void addComparisons(OpRegistry registry) {
        registry.one("isclose", call -> call.self().isclose(call.other(), rtol(call), atol(call), equalNan(call)));
        registry.one(
                "allclose",
                call -> call.machine()
                        .scalar(call.self().allclose(call.other(), rtol(call), atol(call), equalNan(call))));
        registry.one("equal", call -> call.machine().scalar(call.self().equal(call.other())));
    }

    private static double rtol(OpCall call) {
        return call.at(2, "rtol").real(1e-5);
    }

    private static double atol(OpCall call) {
        return call.at(3, "atol").real(1e-8);
    }

    private static boolean equalNan(OpCall call) {
        return call.at(4, "equal_nan").bool(false);
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
