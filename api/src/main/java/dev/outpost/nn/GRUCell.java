package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One step of {@link GRU} (torch.nn.GRUCell). See {@link RecurrentCell} for shapes and names. */
public final class GRUCell extends RecurrentCell {
    /** With biases. */
    public GRUCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** With or without biases. */
    public GRUCell(long inputSize, long hiddenSize, boolean bias) {
        super("gru_cell", new Gates.Gru(), inputSize, hiddenSize, bias);
    }

    /** From a hidden state of zeros. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, null);
    }

    /** The next hidden state; null for zeros as the one before. */
    public Tensor forward(Tensor input, @Nullable Tensor hidden) {
        return next(input, Arrays.asList(hidden)).getFirst();
    }
}
