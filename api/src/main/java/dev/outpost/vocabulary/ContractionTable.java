package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import java.util.List;

/** Products of matrices and their like. */
final class ContractionTable {
    private ContractionTable() {}

    static void addTo(OpRegistry table) {
        addProducts(table);
        addFusedProducts(table);
        addVectorProducts(table);
    }

    private static void addProducts(OpRegistry table) {
        table.binary("matmul", Tensor::matmul);
        table.binary("mm", Tensor::mm);
        table.binary("bmm", Tensor::bmm);
        table.binary("mv", Tensor::mv);
        table.binary("dot", Tensor::dot);
        table.binary("vdot", Tensor::vdot);
        table.binary("outer", Tensor::outer);
        table.binary("inner", Tensor::inner);
        table.binary("kron", Tensor::kron);
        table.one("tensordot", ContractionTable::tensordot);
        table.one("einsum", ContractionTable::einsum);
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

    private static void addVectorProducts(OpRegistry table) {
        table.one(
                "cross",
                call -> call.at(2, "dim").isPresent()
                        ? call.self().cross(call.other(), call.at(2, "dim").dim())
                        : call.self().cross(call.other()));
        table.one(
                "linalg.cross",
                call -> call.self().cross(call.other(), call.named("dim").dim(-1)));
        table.one(
                "linalg.vecdot",
                call -> call.self().vecdot(call.other(), call.named("dim").dim(-1)));
        table.one(
                "linalg.vander",
                call -> call.self()
                        .vander(call.named("N")
                                .integer(Tensors.atleast1d(call.self()).size(-1))));
        table.one(
                "linalg.matrix_power",
                call -> call.self().matrixPower(call.at(1, "n").integer()));
        table.one(
                "linalg.multi_dot",
                call -> Tensors.multiDot(call.at(0, "tensors").tensors().toArray(Tensor[]::new)));
    }

    private interface Fused {
        Tensor apply(Tensor self, Tensor first, Tensor second, Number beta, Number alpha);
    }

    private static void addFusedProducts(OpRegistry table) {
        fused(table, "addmm", Tensor::addmm);
        fused(table, "addmv", Tensor::addmv);
        fused(table, "addr", Tensor::addr);
        fused(table, "addbmm", Tensor::addbmm);
        fused(table, "baddbmm", Tensor::baddbmm);
    }

    private static void fused(OpRegistry table, String name, Fused op) {
        table.one(
                name,
                call -> op.apply(
                        call.self(),
                        call.at(1, "first").tensor(),
                        call.at(2, "second").tensor(),
                        call.named("beta").number(1),
                        call.named("alpha").number(1)));
    }
}
