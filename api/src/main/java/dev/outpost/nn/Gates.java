package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.List;

/**
 * One step of a cell. It computes the next state from the products of the input and of the hidden state with their weights, biases
 * included. A state is the hidden state; for an LSTM, the state of the cell follows it.
 */
interface Gates {
    /** Returns the number of rows of the weights, in multiples of the hidden size. */
    int count();

    /** Returns the number of tensors of a state. */
    int states();

    /** Returns the next state. */
    List<Tensor> step(Tensor fromInput, Tensor fromHidden, List<Tensor> state);

    /** h' = nonlinearity(x + h). */
    record Elman(RnnNonlinearity nonlinearity) implements Gates {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public int states() {
            return 1;
        }

        @Override
        public List<Tensor> step(Tensor fromInput, Tensor fromHidden, List<Tensor> state) {
            return List.of(nonlinearity.of(fromInput.add(fromHidden)));
        }
    }

    /** c' = f · c + i · g and h' = o · tanh(c'), gates in the order i, f, g, o (Hochreiter and Schmidhuber, 1997). */
    record Lstm() implements Gates {
        @Override
        public int count() {
            return 4;
        }

        @Override
        public int states() {
            return 2;
        }

        @Override
        public List<Tensor> step(Tensor fromInput, Tensor fromHidden, List<Tensor> state) {
            List<Tensor> gates = fromInput.add(fromHidden).chunk(4, -1);
            Tensor added = gates.get(0).sigmoid().mul(gates.get(2).tanh());
            Tensor cell = gates.get(1).sigmoid().mul(state.get(1)).add(added);
            return List.of(gates.get(3).sigmoid().mul(cell.tanh()), cell);
        }
    }

    /** h' = (1 - z) · n + z · h, gates in the order r, z, n (Cho et al., 2014). */
    record Gru() implements Gates {
        @Override
        public int count() {
            return 3;
        }

        @Override
        public int states() {
            return 1;
        }

        @Override
        public List<Tensor> step(Tensor fromInput, Tensor fromHidden, List<Tensor> state) {
            List<Tensor> inputs = fromInput.chunk(3, -1);
            List<Tensor> hidden = fromHidden.chunk(3, -1);
            Tensor reset = inputs.get(0).add(hidden.get(0)).sigmoid();
            Tensor update = inputs.get(1).add(hidden.get(1)).sigmoid();
            Tensor proposed = inputs.get(2).add(reset.mul(hidden.get(2))).tanh();
            return List.of(proposed.add(update.mul(state.getFirst().sub(proposed))));
        }
    }
}
