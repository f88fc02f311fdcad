package dev.outpost.torch;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.Optional;

/**
 * Outpost's answer to a case.
 *
 * @param outputs the outputs of the call, flattened in order
 * @param gradients the gradient of each leaf of the case, empty if none flows; ignored if the case has no cotangents
 */
public record ParityAnswer(List<HostTensor> outputs, List<Optional<HostTensor>> gradients) {
    public ParityAnswer {
        outputs = List.copyOf(outputs);
        gradients = List.copyOf(gradients);
    }
}
