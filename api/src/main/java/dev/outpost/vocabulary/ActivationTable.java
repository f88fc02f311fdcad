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

    static void addTo(OpRegistry table) {
        addPlain(table);
        addParameterized(table);
        addAlongDim(table);
    }

    private static void addPlain(OpRegistry table) {
        table.unary("nn.functional.relu", Tensor::relu);
        table.unary("nn.functional.relu6", Tensor::relu6);
        table.unary("nn.functional.hardsigmoid", Tensor::hardsigmoid);
        table.unary("nn.functional.hardswish", Tensor::hardswish);
        table.unary("nn.functional.selu", Tensor::selu);
        table.unary("nn.functional.silu", Tensor::silu);
        table.unary("nn.functional.mish", Tensor::mish);
        table.unary("nn.functional.logsigmoid", Tensor::logsigmoid);
        table.unary("nn.functional.softsign", Tensor::softsign);
        table.unary("nn.functional.tanhshrink", Tensor::tanhshrink);
    }

    private static void addParameterized(OpRegistry table) {
        table.one(
                "nn.functional.leaky_relu",
                call -> call.self().leakyRelu(call.at(1, "negative_slope").real(0.01)));
        table.one(
                "nn.functional.prelu",
                call -> call.self().prelu(call.at(1, "weight").tensor()));
        table.one(
                "nn.functional.hardtanh",
                call -> call.self()
                        .hardtanh(
                                call.at(1, "min_val").number(-1),
                                call.at(2, "max_val").number(1)));
        table.one(
                "nn.functional.hardshrink",
                call -> call.self().hardshrink(call.at(1, "lambd").real(0.5)));
        table.one(
                "nn.functional.softshrink",
                call -> call.self().softshrink(call.at(1, "lambd").real(0.5)));
        table.one(
                "nn.functional.threshold",
                call -> call.self()
                        .threshold(
                                call.at(1, "threshold").number(),
                                call.at(2, "value").number()));
        table.one(
                "nn.functional.elu", call -> call.self().elu(call.at(1, "alpha").real(1)));
        table.one(
                "nn.functional.celu",
                call -> call.self().celu(call.at(1, "alpha").real(1)));
        table.one(
                "nn.functional.gelu",
                call -> call.named("approximate").choice(GELUS, Tensor::gelu).apply(call.self()));
        table.one(
                "nn.functional.softplus",
                call -> call.self()
                        .softplus(
                                call.at(1, "beta").real(1),
                                call.at(2, "threshold").real(20)));
    }

    private static void addAlongDim(OpRegistry table) {
        table.one("nn.functional.glu", call -> call.self().glu(call.at(1, "dim").dim(-1)));
        table.one("softmax", call -> cast(call).softmax(call.at(1, "dim").dim()));
        table.one("log_softmax", call -> cast(call).logSoftmax(call.at(1, "dim").dim()));
        table.one(
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
