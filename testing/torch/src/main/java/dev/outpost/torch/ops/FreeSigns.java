package dev.outpost.torch.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.torch.ParityCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Adapts vectors that are only defined up to their sign, and their gradients, to PyTorch's signs. If only the span of vectors is defined,
 * rotates them to PyTorch's vectors within the common span.
 */
final class FreeSigns {
    /**
     * The places of vectors among the outputs.
     *
     * @param columns the output that has them as columns
     * @param partners the output whose vectors change their signs with them, or -1
     * @param areRows true if these are rows
     */
    private record Places(int columns, int partners, boolean areRows) {}

    private static final Map<String, Places> PLACES = Map.of(
            "linalg.eigh", new Places(1, -1, false),
            "symeig", new Places(1, -1, false),
            "linalg.svd", new Places(0, 2, true),
            "svd", new Places(0, 2, false),
            "svd_lowrank", new Places(0, 2, false),
            "pca_lowrank", new Places(0, 2, false));

    private FreeSigns() {}

    /** @param expected PyTorch's output of that number */
    static List<Tensor> aligned(ParityCase parityCase, List<Tensor> outputs, IntFunction<Tensor> expected) {
        Places places = PLACES.get(parityCase.op());
        if (places == null || outputs.size() != parityCase.outputs().size()) {
            return outputs;
        }
        List<Tensor> aligned = new ArrayList<>(outputs);
        Tensor columns = outputs.get(places.columns);
        long single = outputs.get(places.partners < 0 ? 0 : 1).size(-1);
        Tensor known = expected.apply(places.columns);
        Tensor signs = GradMode.noGrad(() -> columns.narrow(-1, 0, single)
                .mul(known.narrow(-1, 0, single))
                .sum(-2, true)
                .sign());
        aligned.set(places.columns, aligned(columns, known, signs));
        if (places.partners >= 0) {
            Tensor partners = outputs.get(places.partners);
            Tensor knownPartners = expected.apply(places.partners);
            aligned.set(
                    places.partners,
                    places.areRows
                            ? aligned(partners.mT(), knownPartners.mT(), signs).mT()
                            : aligned(partners, knownPartners, signs));
        }
        return aligned;
    }

    private static Tensor aligned(Tensor columns, Tensor known, Tensor signs) {
        long single = signs.size(-1);
        Tensor turned = columns.narrow(-1, 0, single).mul(signs);
        long rest = columns.size(-1) - single;
        if (rest == 0) {
            return turned;
        }
        Tensor space = columns.narrow(-1, single, rest).detach();
        Tensor shared = space.matmul(space.mT().matmul(known.narrow(-1, single, rest)));
        return Tensors.cat(List.of(turned, shared), -1);
    }
}
