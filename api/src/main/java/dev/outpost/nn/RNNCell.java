package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One step of {@link RNN} (torch.nn.RNNCell). See {@link RecurrentCell} for shapes and names. */
public final class RNNCell extends RecurrentCell {
    /** Creates a cell with biases. */
    public RNNCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** Creates a cell with or without biases. */
    public RNNCell(long inputSize, long hiddenSize, boolean bias) {
        super("rnn_cell", new Gates.Elman(RnnNonlinearity.TANH), inputSize, hiddenSize, bias);
    }

    /** Creates a cell with or without biases, and with a nonlinearity. */
    public RNNCell(long inputSize, long hiddenSize, boolean bias, RnnNonlinearity nonlinearity) {
        super("rnn_cell", new Gates.Elman(nonlinearity), inputSize, hiddenSize, bias);
    }

    /** Begins with a hidden state of zeros. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, null);
    }

    /** Returns the next hidden state. {@code hidden} is the present hidden state; null for zeros. */
    public Tensor forward(Tensor input, @Nullable Tensor hidden) {
        return next(input, Arrays.asList(hidden)).getFirst();
    }
}
