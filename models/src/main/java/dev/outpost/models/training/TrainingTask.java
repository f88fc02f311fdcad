package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import java.util.List;

/**
 * A training task: a module and its loss.
 *
 * @param <B> a batch on the client
 */
public interface TrainingTask<B> {
    /**
     * Returns the module with the trained parameters, which is on its machine. Parameters that require no gradient are not
     * changed.
     */
    Module module();

    /** Returns the tensors of a batch: the same number each time, with equal shapes for batches of equal size. */
    List<HostTensor> inputs(B batch);

    /** Returns the divisor of the sum of losses, such as the number of predicted tokens. */
    double weight(B batch);

    /** Returns the size of a batch in the unit of speed, such as tokens. */
    long size(B batch);

    /**
     * Returns the sum of the losses of a batch, a scalar. Traced once for batches of the same shapes.
     *
     * @param inputs the tensors of {@link #inputs} on the machine
     */
    Tensor loss(List<Tensor> inputs);
}
