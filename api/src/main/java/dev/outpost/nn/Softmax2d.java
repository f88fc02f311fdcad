package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/**
 * Softmax over the channels of images, {@code [batch, channels, height, width]} or without the batch dimension
 * (torch.nn.Softmax2d).
 */
public final class Softmax2d extends Module {
    @Override
    public Tensor forward(Tensor input) {
        if (input.dim() != 3 && input.dim() != 4) {
            throw new OpException("softmax2d", "channels of images are needed, got " + input.shape());
        }
        return input.softmax(-3);
    }
}
