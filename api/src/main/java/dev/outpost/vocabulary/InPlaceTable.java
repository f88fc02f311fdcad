package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.DivMode;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;

/** Ops that write into their first tensor and return it. */
final class InPlaceTable {
    private InPlaceTable() {}

    static void addTo(OpRegistry registry) {
        addFunctions(registry);
        addArithmetic(registry);
        addBounds(registry);
        addValues(registry);
        addIndexed(registry);
    }

    private static void addFunctions(OpRegistry registry) {
        registry.unary("round_", Tensor::round_);
    }

    private static void addArithmetic(OpRegistry registry) {
        scaled(registry, "add_", Tensor::add_, Tensor::add_, Tensor::add_);
        scaled(registry, "sub_", Tensor::sub_, Tensor::sub_, Tensor::sub_);
        registry.one("div_", InPlaceTable::div);
        combined(registry, "addcmul_", Tensor::addcmul_);
        combined(registry, "addcdiv_", Tensor::addcdiv_);
        registry.one("lerp_", InPlaceTable::lerp);
    }

    private interface WithNumber {
        Tensor apply(Tensor first, Tensor second, Number number);
    }

    private interface Combined {
        Tensor apply(Tensor self, Tensor first, Tensor second, Number value);
    }

    private static void scaled(
            OpRegistry registry,
            String name,
            BinaryOperator<Tensor> plain,
            WithNumber withAlpha,
            BiFunction<Tensor, Number, Tensor> withNumber) {
        registry.one(name, call -> {
            BoundArgument other = call.at(1, "other");
            BoundArgument alpha = call.named("alpha");
            if (other.isNumber()) {
                return withNumber.apply(call.self(), other.number());
            }
            return alpha.isPresent()
                    ? withAlpha.apply(call.self(), other.tensor(), alpha.number())
                    : plain.apply(call.self(), other.tensor());
        });
    }

    private static void combined(OpRegistry registry, String name, Combined op) {
        registry.one(
                name,
                call -> op.apply(
                        call.self(),
                        call.at(1, "tensor1").tensor(),
                        call.at(2, "tensor2").tensor(),
                        call.named("value").number(1)));
    }

    private static Tensor div(OpCall call) {
        BoundArgument other = call.at(1, "other");
        DivMode mode = call.named("rounding_mode").choice(PointwiseTable.ROUNDINGS, null);
        if (other.isNumber()) {
            return mode == null ? call.self().div_(other.number()) : call.self().div_(other.number(), mode);
        }
        return mode == null ? call.self().div_(other.tensor()) : call.self().div_(other.tensor(), mode);
    }

    private static Tensor lerp(OpCall call) {
        Tensor end = call.at(1, "end").tensor();
        BoundArgument weight = call.at(2, "weight");
        return weight.isNumber()
                ? call.self().lerp_(end, weight.number())
                : call.self().lerp_(end, weight.tensor());
    }

    private static void addBounds(OpRegistry registry) {
        registry.one("clamp_", call -> {
            BoundArgument min = call.at(1, "min");
            BoundArgument max = call.at(2, "max");
            return min.isNumber() || max.isNumber()
                    ? call.self().clamp_(min.number(null), max.number(null))
                    : call.self().clamp_(min.tensorOrNull(), max.tensorOrNull());
        });
    }

    private static void addValues(OpRegistry registry) {
        registry.binary("copy_", Tensor::copy_);
        registry.one("resize_", call -> call.self().resize_(call.sizesFrom(1)));
        registry.one(
                "resize_as_",
                call -> call.self()
                        .resize_(call.at(1, "the_template").tensor().shape().toArray()));
        registry.one("fill_", call -> {
            BoundArgument value = call.at(1, "value");
            return value.isTensor()
                    ? call.self().fill_(value.tensor())
                    : call.self().fill_(value.number());
        });
        registry.one("masked_fill_", call -> {
            Tensor mask = call.at(1, "mask").tensor();
            BoundArgument value = call.at(2, "value");
            return value.isTensor()
                    ? call.self().maskedFill_(mask, value.tensor())
                    : call.self().maskedFill_(mask, value.number());
        });
        registry.one("__setitem__", call -> {
            BoundArgument value = call.at(2, "value");
            return value.isTensor()
                    ? call.self().set(value.tensor(), IndexTable.indices(call, call.at(1, "index")))
                    : call.self().set(value.number(), IndexTable.indices(call, call.at(1, "index")));
        });
    }

    private static void addIndexed(OpRegistry registry) {
        registry.one("scatter_", call -> {
            BoundArgument source = call.at(3, "src");
            return source.isNumber()
                    ? call.self().scatter_(IndexTable.dim(call), IndexTable.index(call), source.number())
                    : call.self().scatter_(IndexTable.dim(call), IndexTable.index(call), source.tensor());
        });
        registry.one(
                "scatter_add_",
                call -> call.self().scatterAdd_(IndexTable.dim(call), IndexTable.index(call), IndexTable.source(call)));
        registry.one(
                "index_add_",
                call -> call.self()
                        .indexAdd_(
                                IndexTable.dim(call),
                                IndexTable.index(call),
                                IndexTable.source(call),
                                call.named("alpha").number(1)));
        registry.one(
                "index_copy_",
                call -> call.self().indexCopy_(IndexTable.dim(call), IndexTable.index(call), IndexTable.source(call)));
        registry.one(
                "index_fill_",
                call -> call.self()
                        .indexFill_(
                                IndexTable.dim(call),
                                IndexTable.index(call),
                                call.at(3, "value").number()));
    }
}
