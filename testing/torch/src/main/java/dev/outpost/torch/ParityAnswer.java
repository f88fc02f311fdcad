package dev.outpost.torch;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.Optional;

/**
 * The answer of our side to a case.
 *
 * @param outputs what the call returned, flattened in order
 * @param gradients one for each leaf of the case, empty where none flows; not looked at if the case has no cotangents
 */
public record ParityAnswer(List<HostTensor> outputs, List<Optional<HostTensor>> gradients) {
    public ParityAnswer {
        outputs = List.copyOf(outputs);
        gradients = List.copyOf(gradients);
    }
}
