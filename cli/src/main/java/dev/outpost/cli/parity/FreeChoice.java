package dev.outpost.cli.parity;

import dev.outpost.HostTensor;
import dev.outpost.cli.parity.Argument.BoolArgument;
import dev.outpost.cli.parity.Argument.IntegerArgument;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.protocol.types.Shape;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where PyTorch promises less than the one answer that the pack has. */
final class FreeChoice {
    /**
     * Where an op's indices are among its outputs, and where its dimension is among the arguments.
     *
     * @param output the output
     * @param dim the argument
     */
    private record Places(int output, int dim) {}

    /** They sort, wholly or in part, and say nothing about equal keys. */
    private static final Map<String, Places> UNSTABLE_SORTS = Map.of(
            "sort", new Places(1, 1),
            "argsort", new Places(0, 1),
            "topk", new Places(1, 2),
            "kthvalue", new Places(1, 2));

    /**
     * PyTorch's gradient is zeros that it never writes ({@code at::_efficientzerotensor}); the pack has what was in that
     * memory.
     */
    private static final Set<String> ZEROS_NEVER_WRITTEN = Set.of("sgn");

    private FreeChoice() {}

    static boolean hasZeroGradient(ParityCase parityCase) {
        return ZEROS_NEVER_WRITTEN.contains(parityCase.op());
    }

    static boolean isOrderOfEqualKeys(ParityCase parityCase, int output) {
        Places places = UNSTABLE_SORTS.get(parityCase.op());
        boolean isStable = parityCase.keywordArguments().get("stable") instanceof BoolArgument stable && stable.value();
        return places != null && places.output() == output && !isStable;
    }

    /** Whether both lead to equal keys everywhere, and ours to no element twice. */
    static boolean leadsToEqualKeys(ParityCase parityCase, ParityPack pack, HostTensor actual, HostTensor expected) {
        if (!actual.shape().equals(expected.shape()) || actual.dtype() != expected.dtype()) {
            return false;
        }
        HostTensor keys = pack.tensor(((TensorArgument) parityCase.arguments().get(0)).name());
        int dim = dim(parityCase, keys.shape());
        Set<Long> taken = new HashSet<>();
        for (long element = 0; element < expected.shape().elements(); element++) {
            long ours = place(keys.shape(), dim, actual, element);
            long theirs = place(keys.shape(), dim, expected, element);
            boolean isEqual =
                    ours >= 0 && Double.compare(keys.getDouble(ours) + 0.0, keys.getDouble(theirs) + 0.0) == 0;
            if (!isEqual || !taken.add(ours)) {
                return false;
            }
        }
        return true;
    }

    private static int dim(ParityCase parityCase, Shape shape) {
        int place = UNSTABLE_SORTS.get(parityCase.op()).dim();
        Argument dim = place < parityCase.arguments().size()
                ? parityCase.arguments().get(place)
                : parityCase.keywordArguments().get("dim");
        int given = dim instanceof IntegerArgument integer ? (int) integer.value() : -1;
        return given < 0 ? given + Math.max(1, shape.rank()) : given;
    }

    /** Which element of the keys an index stands for, or -1; the indices have the keys' shape but for that dimension. */
    private static long place(Shape keys, int dim, HostTensor indices, long element) {
        long size = keys.rank() == 0 ? 1 : keys.size(dim);
        long inner = 1;
        for (int after = dim + 1; after < keys.rank(); after++) {
            inner *= keys.size(after);
        }
        boolean hasDim = indices.shape().rank() == keys.rank() && keys.rank() > 0;
        long chosen = hasDim ? indices.shape().size(dim) : 1;
        long index = indices.getLong(element);
        long outer = element / (chosen * inner);
        return index < 0 || index >= size ? -1 : (outer * size + index) * inner + element % inner;
    }
}
