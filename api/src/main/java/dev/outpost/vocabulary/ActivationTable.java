package dev.outpost.vocabulary;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Activations. */
final class ActivationTable {
    private static final Map<String, UnaryOperator<Tensor>> GELUS =
            Map.of("none", Tensor::gelu, "tanh", Tensor::geluTanh);

    private ActivationTable() {}

    static void addTo(OpRegistry registry) {
        addPlain(registry);
        addParameterized(registry);
        addAlongDim(registry);
    }

    private static void addPlain(OpRegistry registry) {
        registry.unary("nn.functional.relu", Tensor::relu);
        registry.unary("nn.functional.relu6", Tensor::relu6);
        registry.unary("nn.functional.hardsigmoid", Tensor::hardsigmoid);
        registry.unary("nn.functional.hardswish", Tensor::hardswish);
        registry.unary("nn.functional.selu", Tensor::selu);
        registry.unary("nn.functional.silu", Tensor::silu);
        registry.unary("nn.functional.mish", Tensor::mish);
        registry.unary("nn.functional.logsigmoid", Tensor::logsigmoid);
        registry.unary("nn.functional.softsign", Tensor::softsign);
        registry.unary("nn.functional.tanhshrink", Tensor::tanhshrink);
    }

    private static void addParameterized(OpRegistry registry) {
        registry.one(
                "nn.functional.leaky_relu",
                call -> call.self().leakyRelu(call.at(1, "negative_slope").real(0.01)));
        registry.one(
                "nn.functional.prelu",
                call -> call.self().prelu(call.at(1, "weight").tensor()));
        registry.one(
                "nn.functional.hardtanh",
                call -> call.self()
                        .hardtanh(
                                call.at(1, "min_val").number(-1),
                                call.at(2, "max_val").number(1)));
        registry.one(
                "nn.functional.hardshrink",
                call -> call.self().hardshrink(call.at(1, "lambd").real(0.5)));
        registry.one(
                "nn.functional.softshrink",
                call -> call.self().softshrink(call.at(1, "lambd").real(0.5)));
        registry.one(
                "nn.functional.threshold",
                call -> call.self()
                        .threshold(
                                call.at(1, "threshold").number(),
                                call.at(2, "value").number()));
        registry.one(
                "nn.functional.elu", call -> call.self().elu(call.at(1, "alpha").real(1)));
        registry.one(
                "nn.functional.celu",
                call -> call.self().celu(call.at(1, "alpha").real(1)));
        registry.one(
                "nn.functional.gelu",
                call -> call.named("approximate").choice(GELUS, Tensor::gelu).apply(call.self()));
        registry.one(
                "nn.functional.softplus",
                call -> call.self()
                        .softplus(
                                call.at(1, "beta").real(1),
                                call.at(2, "threshold").real(20)));
    }

    private static void addAlongDim(OpRegistry registry) {
        registry.one(
                "nn.functional.glu", call -> call.self().glu(call.at(1, "dim").dim(-1)));
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
