package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import java.util.List;

/** Products of matrices and vectors, and general contractions. */
final class ContractionTable {
    private ContractionTable() {}

    static void addTo(OpRegistry registry) {
        registry.one("tensordot", ContractionTable::tensordot);
        registry.one("einsum", ContractionTable::einsum);
        registry.one(
                "linalg.vander",
                call -> call.self()
                        .vander(call.named("N")
                                .integer(Tensors.atleast1d(call.self()).size(-1))));
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
}
