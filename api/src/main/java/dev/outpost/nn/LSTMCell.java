package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of {@link LSTM} (torch.nn.LSTMCell). See {@link RecurrentCell} for shapes and names. */
public final class LSTMCell extends RecurrentCell {
    /**
     * The result of a step.
     *
     * @param hidden the next hidden state
     * @param cell the next state of the cell
     */
    public record Result(Tensor hidden, Tensor cell) {}

    /** Creates a cell with biases. */
    public LSTMCell(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, true);
    }

    /** Creates a cell with or without biases. */
    public LSTMCell(long inputSize, long hiddenSize, boolean bias) {
        super("lstm_cell", new Gates.Lstm(), inputSize, hiddenSize, bias);
    }

    /** Returns only the hidden state, and begins with states of zeros. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, null, null).hidden();
    }

    /** Returns the next state. The arguments are the present state; null for zeros. */
    public Result forward(Tensor input, @Nullable Tensor hidden, @Nullable Tensor cell) {
        List<Tensor> next = next(input, Arrays.asList(hidden, cell));
        return new Result(next.get(0), next.get(1));
    }
}
