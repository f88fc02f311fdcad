package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import java.util.List;

/** Products of matrices and vectors, and general contractions. */
final class ContractionTable {
    private ContractionTable() {}

    static void addTo(OpRegistry registry) {
        addProducts(registry);
        addFusedProducts(registry);
        addVectorProducts(registry);
    }

    private static void addProducts(OpRegistry registry) {
        registry.one("tensordot", ContractionTable::tensordot);
        registry.one("einsum", ContractionTable::einsum);
    }

    private static Tensor tensordot(OpCall call) {
        BoundArgument dims = call.at(2, "dims");
        return dims.isList()
                ? call.self()
                        .tensordot(
                                call.other(),
                                dims.items().get(0).dims(),
                                dims.items().get(1).dims())
                : call.self().tensordot(call.other(), dims.dim());
    }

    private static Tensor einsum(OpCall call) {
        List<Tensor> operands = call.rest(1).stream().map(BoundArgument::tensor).toList();
        Tensor[] others = operands.stream().skip(1).toArray(Tensor[]::new);
        return operands.get(0).einsum(call.at(0, "equation").text(null), others);
    }

    private static void addVectorProducts(OpRegistry registry) {
        registry.one(
                "cross",
                call -> call.at(2, "dim").isPresent()
                        ? call.self().cross(call.other(), call.at(2, "dim").dim())
                        : call.self().cross(call.other()));
        registry.one(
                "linalg.vander",
                call -> call.self()
                        .vander(call.named("N")
                                .integer(Tensors.atleast1d(call.self()).size(-1))));
        registry.one(
                "linalg.multi_dot",
                call -> Tensors.multiDot(call.at(0, "tensors").tensors().toArray(Tensor[]::new)));
    }

    private interface Fused {
        Tensor apply(Tensor self, Tensor first, Tensor second, Number beta, Number alpha);
    }

    private static void addFusedProducts(OpRegistry registry) {
        fused(registry, "addmm", Tensor::addmm);
        fused(registry, "addmv", Tensor::addmv);
        fused(registry, "addr", Tensor::addr);
        fused(registry, "addbmm", Tensor::addbmm);
        fused(registry, "baddbmm", Tensor::baddbmm);
    }

    private static void fused(OpRegistry registry, String name, Fused op) {
        registry.one(
                name,
                call -> op.apply(
                        call.self(),
                        call.at(1, "first").tensor(),
                        call.at(2, "second").tensor(),
                        call.named("beta").number(1),
                        call.named("alpha").number(1)));
    }
}
