package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One step of {@link RNN} (torch.nn.RNNCell). See {@link RecurrentCell} for shapes and names. */
public final class RNNCell extends RecurrentCell {
    /** With biases. */
    public RNNCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** With or without biases. */
    public RNNCell(long inputSize, long hiddenSize, boolean bias) {
        super("rnn_cell", new Gates.Elman(RnnNonlinearity.TANH), inputSize, hiddenSize, bias);
    }

    /** With or without biases, and with a nonlinearity. */
    public RNNCell(long inputSize, long hiddenSize, boolean bias, RnnNonlinearity nonlinearity) {
        super("rnn_cell", new Gates.Elman(nonlinearity), inputSize, hiddenSize, bias);
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
