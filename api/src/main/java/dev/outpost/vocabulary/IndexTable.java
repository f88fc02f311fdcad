package dev.outpost.vocabulary;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.Map;

/** Ops that read and write elements at indices and masks. */
final class IndexTable {
    private static final Map<String, ScatterReduce> SEGMENTS = Map.of(
            "sum", ScatterReduce.SUM,
            "prod", ScatterReduce.PROD,
            "mean", ScatterReduce.MEAN,
            "max", ScatterReduce.AMAX,
            "min", ScatterReduce.AMIN);

    private IndexTable() {}

    static void addTo(OpRegistry registry) {
        addReads(registry);
        addWrites(registry);
    }

    private static void addReads(OpRegistry registry) {
        registry.one("__getitem__", call -> call.self().get(indices(call, call.at(1, "index"))));
        registry.many("nonzero", IndexTable::nonzero);
    }

    private static List<Tensor> nonzero(OpCall call) {
        return call.named("as_tuple").bool(false)
                ? call.self().nonzeroAsTuple()
                : List.of(call.self().nonzero());
    }

    /** Converts an index list as PyTorch does: a list of integers only is an index tensor, any other list is a tuple. */
    private static Index[] indices(OpCall call, BoundArgument boundArgument) {
        boolean isTuple =
                boundArgument.isList() && !boundArgument.items().stream().allMatch(BoundArgument::isNumber);
        return isTuple
                ? boundArgument.items().stream().map(item -> index(call, item)).toArray(Index[]::new)
                : new Index[] {index(call, boundArgument)};
    }

    private static Index index(OpCall call, BoundArgument boundArgument) {
        return switch (boundArgument.value()) {
            case null -> Index.newAxis();
            case Index index -> index;
            case Tensor tensor -> Index.of(tensor);
            case Number integer -> Index.at(boundArgument.integer());
            default -> {
                if (boundArgument.isList()) {
                    yield Index.of(call.machine().tensor(boundArgument.sizes()));
                }
                throw boundArgument.unsupported("an index");
            }
        };
    }

    private static void addWrites(OpRegistry registry) {
        registry.one("__setitem__", call -> {
            BoundArgument value = call.at(2, "value");
            return value.isTensor()
                    ? call.self().set(value.tensor(), IndexTable.indices(call, call.at(1, "index")))
                    : call.self().set(value.number(), IndexTable.indices(call, call.at(1, "index")));
        });
        registry.one("segment_reduce", IndexTable::segmentReduce);
        registry.one(
                "index_put",
                call -> call.self()
                        .indexPut(
                                call.at(1, "indices").items().stream()
                                        .map(BoundArgument::tensorOrNull)
                                        .toArray(Tensor[]::new),
                                call.at(2, "values").tensor(),
                                call.at(3, "accumulate").bool(false)));
    }

    private static Tensor segmentReduce(OpCall call) {
        ScatterReduce reduction = call.at(1, "reduce").choice(SEGMENTS, null);
        Tensor lengths = call.named("lengths").tensorOrNull();
        Tensor offsets = call.named("offsets").tensorOrNull();
        int axis = call.named("axis").dim(0);
        Number initial = call.named("initial").number(null);
        // In PyTorch, unsafe only skips checks, and indices are not supported.
        call.named("unsafe");
        if (call.named("indices").isPresent()) {
            throw call.named("indices").unsupported("none");
        }
        if (lengths == null && offsets == null) {
            throw new OpException(call.op(), "lengths or offsets must be given");
        }
        return lengths == null
                ? call.self().segmentReduceByOffsets(reduction, offsets, axis, initial)
                : call.self().segmentReduce(reduction, lengths, axis, initial);
    }
}
