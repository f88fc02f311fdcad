package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One step of {@link GRU} (torch.nn.GRUCell). See {@link RecurrentCell} for shapes and names. */
public final class GRUCell extends RecurrentCell {
    /** Creates a cell with biases. */
    public GRUCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** Creates a cell with or without biases. */
    public GRUCell(long inputSize, long hiddenSize, boolean bias) {
        super("gru_cell", new Gates.Gru(), inputSize, hiddenSize, bias);
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
