package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.types.Shape;
import java.util.Map;
import java.util.Set;

/** The ops for which PyTorch guarantees less than the one answer in the pack. */
final class FreeChoice {
    /**
     * The position of an op's indices among its outputs, and of its dimension among the arguments.
     *
     * @param output the index of the output
     * @param dim the index of the argument
     */
    private record Places(int output, int dim) {}

    /** The ops that sort completely or in part, and leave the order of equal keys undefined. */
    private static final Map<String, Places> UNSTABLE_SORTS = Map.of(
            "sort", new Places(1, 1),
            "argsort", new Places(0, 1),
            "topk", new Places(1, 2),
            "kthvalue", new Places(1, 2));

    /**
     * PyTorch's gradient is zeros that it never writes ({@code at::_efficientzerotensor}), so the pack has arbitrary memory.
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
