package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a recurrent layer (torch.nn.RNNCellBase): inputs are {@code [batch, input]} or {@code [input]}, states {@code [batch,
 * hidden]} or {@code [hidden]}. Parameters are called {@code weight_ih}, {@code weight_hh}, {@code bias_ih} and {@code bias_hh}.
 */
public abstract sealed class RecurrentCell extends Module permits RNNCell, LSTMCell, GRUCell {
    private final String op;
    private final Gates gates;
    private final long inputSize;
    private final long hiddenSize;
    private final DirectionWeights weights;

    RecurrentCell(String op, Gates gates, long inputSize, long hiddenSize, boolean bias) {
        if (inputSize < 0 || hiddenSize <= 0) {
            throw new OpException(op, "the sizes must be positive, got " + inputSize + " and " + hiddenSize);
        }
        this.op = op;
        this.gates = gates;
        this.inputSize = inputSize;
        this.hiddenSize = hiddenSize;
        long rows = gates.count() * hiddenSize;
        Parameter input = weight("weight_ih", rows, inputSize);
        Parameter hidden = weight("weight_hh", rows, hiddenSize);
        Parameter inputBias = bias ? weight("bias_ih", rows) : null;
        Parameter hiddenBias = bias ? weight("bias_hh", rows) : null;
        weights = new DirectionWeights(input, hidden, inputBias, hiddenBias, null);
    }

    private Parameter weight(String name, long... shape) {
        double bound = 1 / Math.sqrt(hiddenSize);
        return parameter(name, Init.uniform(-bound, bound), shape);
    }

    /** Returns the next state. A null in the present state stands for zeros. */
    final List<Tensor> next(Tensor input, List<@Nullable Tensor> given) {
        if (input == null || input.dim() < 1 || input.dim() > 2 || input.size(-1) != inputSize) {
            throw new OpException(
                    op,
                    "expected [" + inputSize + "] or [batch, " + inputSize + "], got "
                            + (input == null ? null : input.shape()));
        }
        return Scope.tidy(
                () -> {
                    List<Tensor> state = given.stream()
                            .map(tensor -> tensor == null ? zeros(input) : fitting(input, tensor))
                            .toList();
                    return gates.step(weights.ofInput(input), weights.ofHidden(state.getFirst()), state);
                },
                next -> next);
    }

    private Tensor zeros(Tensor input) {
        return input.dim() == 1 ? input.newZeros(hiddenSize) : input.newZeros(input.size(0), hiddenSize);
    }

    private Tensor fitting(Tensor input, Tensor state) {
        boolean fits = state.dim() == input.dim()
                && state.size(-1) == hiddenSize
                && (input.dim() == 1 || state.size(0) == input.size(0));
        if (!fits) {
            throw new OpException(
                    op,
                    "the state must have " + hiddenSize + " features for each input, got " + state.shape() + " and "
                            + input.shape());
        }
        return state;
    }

    @Override
    protected String settings() {
        return inputSize + ", " + hiddenSize + (weights.inputBias() == null ? ", bias=False" : "");
    }
}
