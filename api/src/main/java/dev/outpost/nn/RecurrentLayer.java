package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stacked layers of cells that read sequences (torch.nn.RNNBase). Inputs are {@code [time, batch, input]}, {@code
 * [batch, time, input]} if the batch is first, {@code [time, input]} without a batch, or a {@link PackedSequence}.
 * Hidden states are {@code [layers · directions, batch, hidden]}, the directions of a layer one after the other, and
 * zeros if none are given. Parameters have PyTorch's names, such as {@code weight_ih_l0} and {@code
 * bias_hh_l1_reverse}.
 */
public abstract sealed class RecurrentLayer extends Module permits RNN, LSTM, GRU {
    private final String op;
    private final Gates gates;
    private final long inputSize;
    private final long hiddenSize;
    private final long outputSize;
    private final RecurrentOptions options;
    /** The weights by layer, and within a layer by direction. */
    private final List<DirectionWeights> weights = new ArrayList<>();

    RecurrentLayer(String op, Gates gates, long inputSize, long hiddenSize, long projection, RecurrentOptions options) {
        if (inputSize < 0 || hiddenSize <= 0 || projection < 0 || projection >= hiddenSize && projection > 0) {
            throw new OpException(
                    op,
                    "the hidden size must be positive, and a projection smaller, got input " + inputSize + ", hidden "
                            + hiddenSize + " and projection " + projection);
        }
        this.op = op;
        this.gates = gates;
        this.inputSize = inputSize;
        this.hiddenSize = hiddenSize;
        this.options = ArgumentChecks.required(options, "the options");
        outputSize = projection == 0 ? hiddenSize : projection;
        for (int layer = 0; layer < options.layers(); layer++) {
            for (int direction = 0; direction < options.directions(); direction++) {
                weights.add(weights(layer, direction, projection));
            }
        }
    }

    private DirectionWeights weights(int layer, int direction, long projection) {
        String suffix = "_l" + layer + (direction == 0 ? "" : "_reverse");
        long inputs = layer == 0 ? inputSize : outputSize * options.directions();
        long rows = gates.count() * hiddenSize;
        Parameter input = weight("weight_ih" + suffix, rows, inputs);
        Parameter hidden = weight("weight_hh" + suffix, rows, outputSize);
        Parameter inputBias = options.bias() ? weight("bias_ih" + suffix, rows) : null;
        Parameter hiddenBias = options.bias() ? weight("bias_hh" + suffix, rows) : null;
        Parameter projected = projection == 0 ? null : weight("weight_hr" + suffix, projection, hiddenSize);
        return new DirectionWeights(input, hidden, inputBias, hiddenBias, projected);
    }

    private Parameter weight(String name, long... shape) {
        double bound = 1 / Math.sqrt(hiddenSize);
        return parameter(name, Init.uniform(-bound, bound), shape);
    }

    /** Returns the options of the layer. */
    public final RecurrentOptions options() {
        return options;
    }

    /** The output and the last states. Input and output are packed rows. */
    record Run(Tensor output, List<Tensor> states) {
        List<Tensor> tensors() {
            List<Tensor> all = new ArrayList<>(states);
            all.add(output);
            return all;
        }
    }

    /** Runs over a tensor with or without a batch. */
    final Run run(Tensor input, List<@Nullable Tensor> given) {
        requireInput(input);
        boolean isBatched = input.dim() == 3;
        requireStates(given, isBatched ? input.size(options.batchFirst() ? 0 : 1) : 1, isBatched);
        return Scope.tidy(
                () -> {
                    Tensor batched = isBatched ? input : input.unsqueeze(options.batchFirst() ? 0 : 1);
                    Tensor timed = options.batchFirst() ? batched.transpose(0, 1) : batched;
                    long[] batchSizes = new long[Math.toIntExact(timed.size(0))];
                    Arrays.fill(batchSizes, timed.size(1));
                    List<Tensor> states = states(given, timed, timed.size(1), isBatched);
                    Run run = layers(timed.reshape(-1, inputSize), batchSizes, states);
                    Tensor output = run.output.reshape(timed.size(0), timed.size(1), -1);
                    Tensor ordered = options.batchFirst() ? output.transpose(0, 1) : output;
                    return isBatched
                            ? new Run(ordered, run.states)
                            : new Run(
                                    ordered.squeeze(options.batchFirst() ? 0 : 1),
                                    run.states.stream()
                                            .map(state -> state.squeeze(1))
                                            .toList());
                },
                Run::tensors);
    }

    /** Runs over packed rows. States are in the given order of the sequences, before sorting. */
    final Run run(PackedSequence input, List<@Nullable Tensor> given) {
        ArgumentChecks.required(input, "the input");
        if (input.data().dim() != 2 || input.data().size(1) != inputSize) {
            throw new OpException(
                    op,
                    "packed rows of " + inputSize + " features are needed, got "
                            + input.data().shape());
        }
        requireStates(given, input.batchSizes()[0], true);
        return Scope.tidy(
                () -> {
                    List<Tensor> states = states(given, input.data(), input.batchSizes()[0], true).stream()
                            .map(state -> input.sorted(state, 1))
                            .toList();
                    Run run = layers(input.data(), input.batchSizes(), states);
                    return new Run(
                            run.output,
                            run.states.stream()
                                    .map(state -> input.unsorted(state, 1))
                                    .toList());
                },
                Run::tensors);
    }

    private void requireInput(Tensor input) {
        ArgumentChecks.required(input, "the input");
        if (input.dim() != 2 && input.dim() != 3) {
            throw new OpException(op, "expected 2 dimensions without a batch or 3 with one, got " + input.shape());
        }
        if (input.size(-1) != inputSize) {
            throw new OpException(op, "expected " + inputSize + " features, got " + input.shape());
        }
        int time = options.batchFirst() && input.dim() == 3 ? 1 : 0;
        if (input.size(time) == 0) {
            throw new OpException(op, "a sequence must have at least one step, got " + input.shape());
        }
    }

    private void requireStates(List<@Nullable Tensor> given, long batch, boolean isBatched) {
        for (int index = 0; index < gates.states(); index++) {
            Tensor state = given.get(index);
            Shape expected = isBatched
                    ? Shape.of(weights.size(), batch, stateSize(index))
                    : Shape.of(weights.size(), stateSize(index));
            if (state != null && !state.shape().equals(expected)) {
                String name = index == 0 ? "hidden state" : "cell state";
                throw new OpException(op, "expected a " + name + " " + expected + ", got " + state.shape());
            }
        }
    }

    private long stateSize(int index) {
        return index == 0 ? outputSize : hiddenSize;
    }

    /** Returns the first states, {@code [layers · directions, batch, size]}. */
    private List<Tensor> states(List<@Nullable Tensor> given, Tensor like, long batch, boolean isBatched) {
        List<Tensor> states = new ArrayList<>();
        for (int index = 0; index < gates.states(); index++) {
            Tensor state = given.get(index);
            if (state == null) {
                states.add(like.newZeros(weights.size(), batch, stateSize(index)));
            } else {
                states.add(isBatched ? state : state.unsqueeze(1));
            }
        }
        return states;
    }

    private Run layers(Tensor input, long[] batchSizes, List<Tensor> states) {
        Tensor current = input;
        List<List<Tensor>> last = new ArrayList<>();
        for (int layer = 0; layer < options.layers(); layer++) {
            List<Tensor> outputs = new ArrayList<>();
            for (int direction = 0; direction < options.directions(); direction++) {
                int place = layer * options.directions() + direction;
                List<Tensor> first =
                        states.stream().map(state -> state.select(0, place)).toList();
                PackedRun run = new PackedRun(gates, weights.get(place), batchSizes);
                PackedRun.Result result = direction == 0 ? run.forward(current, first) : run.backward(current, first);
                outputs.add(result.output());
                last.add(result.states());
            }
            current = outputs.size() == 1 ? outputs.getFirst() : Tensors.cat(outputs, -1);
            if (layer < options.layers() - 1) {
                current = Functional.dropout(current, options.dropout(), isTraining());
            }
        }
        return new Run(current, stacked(last));
    }

    private List<Tensor> stacked(List<List<Tensor>> states) {
        List<Tensor> stacked = new ArrayList<>();
        for (int index = 0; index < gates.states(); index++) {
            int which = index;
            stacked.add(
                    Tensors.stack(states.stream().map(state -> state.get(which)).toList(), 0));
        }
        return stacked;
    }

    @Override
    protected String settings() {
        return inputSize + ", " + hiddenSize
                + (outputSize == hiddenSize ? "" : ", proj_size=" + outputSize)
                + (options.layers() == 1 ? "" : ", num_layers=" + options.layers())
                + (options.bias() ? "" : ", bias=False")
                + (options.batchFirst() ? ", batch_first=True" : "")
                + (options.dropout() == 0 ? "" : ", dropout=" + options.dropout())
                + (options.bidirectional() ? ", bidirectional=True" : "");
    }
}
