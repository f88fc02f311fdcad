package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.types.Shape;
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

    static boolean leadsToEqualKeys(ParityCase parityCase, ParityPack pack, HostTensor actual, HostTensor expected) {
        HostTensor keys = pack.tensor(((TensorArgument) parityCase.arguments().get(0)).name());
        return EqualKeys.areAt(keys, dim(parityCase, keys.shape()), actual, expected);
    }

    private static int dim(ParityCase parityCase, Shape shape) {
        int place = UNSTABLE_SORTS.get(parityCase.op()).dim();
        Argument dim = place < parityCase.arguments().size()
                ? parityCase.arguments().get(place)
                : parityCase.keywordArguments().get("dim");
        int given = dim instanceof IntegerArgument integer ? (int) integer.value() : -1;
        return given < 0 ? given + Math.max(1, shape.rank()) : given;
    }
}
