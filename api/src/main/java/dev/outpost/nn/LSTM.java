package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Long short-term memory (Hochreiter and Schmidhuber, 1997; torch.nn.LSTM), with projected hidden states if requested
 * (Sak et al., 2014). See {@link RecurrentLayer} for shapes and names.
 */
public final class LSTM extends RecurrentLayer {
    /**
     * The result of a run.
     *
     * @param output the hidden states of the last layer, for each step: the input's shape with {@code directions · hidden} features
     * @param hidden the last hidden states, {@code [layers · directions, batch, hidden]}; of the projected size, if there is a projection
     * @param cell the last states of the cells, {@code [layers · directions, batch, hidden]}
     */
    public record Result(Tensor output, Tensor hidden, Tensor cell) {}

    /**
     * The result of a run over packed sequences.
     *
     * @param output packed like the input
     * @param hidden the last hidden states
     * @param cell the last states of the cells
     */
    public record PackedResult(PackedSequence output, Tensor hidden, Tensor cell) {}

    /** One layer in one direction. */
    public LSTM(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, RecurrentOptions.defaults());
    }

    /** Creates a layer with options. */
    public LSTM(long inputSize, long hiddenSize, RecurrentOptions options) {
        this(inputSize, hiddenSize, options, 0);
    }

    /** @param projection the size that hidden states are projected to, below the hidden size; 0 for none */
    public LSTM(long inputSize, long hiddenSize, RecurrentOptions options, long projection) {
        super("lstm", new Gates.Lstm(), inputSize, hiddenSize, projection, options);
    }

    /** Returns only the output. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, null, null).output();
    }

    /**
     * Begins with this hidden state and state of the cells; null for zeros.
     *
     * {@snippet file="ModuleExamplesTest.java" region="lstm"}
     */
    public Result forward(Tensor input, @Nullable Tensor hidden, @Nullable Tensor cell) {
        Run run = run(input, Arrays.asList(hidden, cell));
        return new Result(run.output(), run.states().get(0), run.states().get(1));
    }

    /** Runs over sequences of different lengths, and begins with this hidden state and state of the cells; null for zeros. */
    public PackedResult forward(PackedSequence input, @Nullable Tensor hidden, @Nullable Tensor cell) {
        Run run = run(input, Arrays.asList(hidden, cell));
        return new PackedResult(
                input.with(run.output()), run.states().get(0), run.states().get(1));
    }
}
