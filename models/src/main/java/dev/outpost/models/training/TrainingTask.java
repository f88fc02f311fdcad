package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import java.util.List;

/**
 * A task of training: a module and its loss.
 *
 * @param <B> a batch, on this side
 */
public interface TrainingTask<B> {
    /**
     * The module with the parameters that are trained; it is on its machine. Those that require no gradient are left
     * alone.
     */
    Module module();

    /** The tensors of a batch on the machine: as many each time, of the same shapes where batches are as large. */
    List<HostTensor> inputs(B batch);

    /** The divisor of the sum of losses, such as the number of tokens that are predicted. */
    double weight(B batch);

    /** How much a batch has of what speed is told in, such as tokens. */
    long size(B batch);

    /**
     * The sum of the losses of a batch, a scalar. Recorded once for batches of the same shapes.
     *
     * @param inputs those of {@link #inputs}, on the machine
     */
    Tensor loss(List<Tensor> inputs);
}
