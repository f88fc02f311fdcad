package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gated recurrent units (Cho et al., 2014; torch.nn.GRU). See {@link RecurrentLayer} for shapes and names. */
public final class GRU extends RecurrentLayer {
    /**
     * The result of a run.
     *
     * @param output the hidden states of the last layer, for each step: the input's shape with {@code directions · hidden} features
     * @param hidden the last hidden states, {@code [layers · directions, batch, hidden]}
     */
    public record Result(Tensor output, Tensor hidden) {}

    /**
     * The result of a run over packed sequences.
     *
     * @param output packed like the input
     * @param hidden the last hidden states, {@code [layers · directions, batch, hidden]}
     */
    public record PackedResult(PackedSequence output, Tensor hidden) {}

    /** One layer in one direction. */
    public GRU(long inputSize, long hiddenSize) {
        this(inputSize, hiddenSize, RecurrentOptions.defaults());
    }

    /** Creates a layer with options. */
    public GRU(long inputSize, long hiddenSize, RecurrentOptions options) {
        super("gru", new Gates.Gru(), inputSize, hiddenSize, 0, options);
    }

    /** Returns only the output. */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, null).output();
    }

    /** Starts from this hidden state; null stands for zeros. */
    public Result forward(Tensor input, @Nullable Tensor hidden) {
        Run run = run(input, Arrays.asList(hidden));
        return new Result(run.output(), run.states().getFirst());
    }

    /** Runs over sequences of different lengths, and starts from this hidden state; null stands for zeros. */
    public PackedResult forward(PackedSequence input, @Nullable Tensor hidden) {
        Run run = run(input, Arrays.asList(hidden));
        return new PackedResult(input.with(run.output()), run.states().getFirst());
    }
}
