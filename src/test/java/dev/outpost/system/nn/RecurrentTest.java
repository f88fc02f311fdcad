package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.GRU;
import dev.outpost.nn.GRUCell;
import dev.outpost.nn.LSTM;
import dev.outpost.nn.LSTMCell;
import dev.outpost.nn.PackedSequence;
import dev.outpost.nn.RNN;
import dev.outpost.nn.RNNCell;
import dev.outpost.nn.RecurrentOptions;
import dev.outpost.nn.RnnNonlinearity;
import dev.outpost.nn.Sequences;
import dev.outpost.system.Closeness;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares recurrent layers with PyTorch: outputs, states, and the gradients of inputs and weights. */
class RecurrentTest {
    private static final TorchFixture TORCH = TorchFixture.of("recurrent");
    private static final long[] LENGTHS = {3, 5, 1};

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<String> cases() {
        return TORCH.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void layerMatchesPyTorch(String name) {
        if (name.contains("cell")) {
            checkCell(name);
        } else if (name.startsWith("lstm")) {
            checkLstm(name);
        } else if (name.startsWith("gru")) {
            checkGru(name);
        } else {
            checkRnn(name);
        }
    }

    private static RecurrentOptions options(String name) {
        RecurrentOptions options = RecurrentOptions.defaults();
        return switch (name.substring(name.indexOf('_') + 1)) {
            case "deep", "state", "packed", "projected" -> options.layers(2).bidirectional(true);
            case "nobias" -> options.bias(false).batchFirst(true);
            default -> options;
        };
    }

    private static PackedSequence packed(Tensor input) {
        return Sequences.packPaddedSequence(input, LENGTHS, false, false);
    }

    private static Tensor padded(PackedSequence output) {
        return Sequences.padPackedSequence(output, false, -1).data();
    }

    private static Tensor orNull(List<Tensor> in, int index) {
        return index < in.size() ? in.get(index) : null;
    }

    private static void checkRnn(String name) {
        RnnNonlinearity nonlinearity = name.endsWith("relu") ? RnnNonlinearity.RELU : RnnNonlinearity.TANH;
        RNN rnn = new RNN(4, 6, options(name), nonlinearity);
        TORCH.check(name, rnn, machine, in -> {
            if (name.endsWith("packed")) {
                RNN.PackedResult result = rnn.forward(packed(in.getFirst()), null);
                return List.of(padded(result.output()), result.hidden());
            }
            RNN.Result result = rnn.forward(in.getFirst(), orNull(in, 1));
            return List.of(result.output(), result.hidden());
        });
    }

    private static void checkGru(String name) {
        GRU gru = new GRU(4, 6, options(name));
        TORCH.check(name, gru, machine, in -> {
            if (name.endsWith("packed")) {
                GRU.PackedResult result = gru.forward(packed(in.getFirst()), null);
                return List.of(padded(result.output()), result.hidden());
            }
            GRU.Result result = gru.forward(in.getFirst(), orNull(in, 1));
            return List.of(result.output(), result.hidden());
        });
    }

    private static void checkLstm(String name) {
        LSTM lstm = new LSTM(4, 6, options(name), name.endsWith("projected") ? 3 : 0);
        TORCH.check(name, lstm, machine, in -> {
            if (name.endsWith("packed")) {
                LSTM.PackedResult result = lstm.forward(packed(in.getFirst()), null, null);
                return List.of(padded(result.output()), result.hidden(), result.cell());
            }
            LSTM.Result result = lstm.forward(in.getFirst(), orNull(in, 1), orNull(in, 2));
            return List.of(result.output(), result.hidden(), result.cell());
        });
    }

    private static void checkCell(String name) {
        if (name.startsWith("lstm")) {
            LSTMCell cell = new LSTMCell(4, 6);
            TORCH.check(name, cell, machine, in -> {
                LSTMCell.Result result = cell.forward(in.get(0), in.get(1), in.get(2));
                return List.of(result.hidden(), result.cell());
            });
        } else if (name.startsWith("gru")) {
            GRUCell cell = new GRUCell(4, 6, !name.endsWith("unbatched"));
            TORCH.check(name, cell, machine, in -> List.of(cell.forward(in.getFirst(), orNull(in, 1))));
        } else {
            RnnNonlinearity nonlinearity = name.endsWith("relu") ? RnnNonlinearity.RELU : RnnNonlinearity.TANH;
            RNNCell cell = new RNNCell(4, 6, true, nonlinearity);
            TORCH.check(name, cell, machine, in -> List.of(cell.forward(in.get(0), in.get(1))));
        }
    }

    @Test
    void packingAndPaddingAreInverse() {
        Tensor padded = machine.arange(30).reshape(5, 3, 2);
        PackedSequence packed = packed(padded);
        assertArrayEquals(new long[] {3, 2, 2, 1, 1}, packed.batchSizes());
        assertArrayEquals(new int[] {1, 0, 2}, packed.sortedIndices());
        Sequences.Padded again = Sequences.padPackedSequence(packed, true, 0);
        assertArrayEquals(LENGTHS, again.lengths());
        assertArrayEquals(
                new long[] {0, 1, 6, 7, 12, 13, 0, 0, 0, 0},
                again.data().select(0, 0).toLongArray());
        List<Tensor> sequences = Sequences.unpackSequence(packed);
        assertArrayEquals(new long[] {4, 5}, sequences.get(2).toLongArray());
        PackedSequence once = Sequences.packSequence(sequences, false);
        assertArrayEquals(packed.data().toLongArray(), once.data().toLongArray());
    }

    @Test
    void badSequencesAndStatesAreRefused() {
        Tensor input = machine.zeros(5, 3, 4);
        assertEquals(
                "pack_padded_sequence: the lengths must descend, got [3, 5, 1]; enforceSorted=false sorts them",
                assertThrows(OpException.class, () -> Sequences.packPaddedSequence(input, LENGTHS))
                        .getMessage());
        assertThrows(OpException.class, () -> Sequences.packPaddedSequence(input, 6, 5, 1));
        GRU gru = new GRU(4, 6);
        gru.to(machine);
        assertEquals(
                "gru: expected 4 features, got [3, 5]",
                assertThrows(OpException.class, () -> gru.forward(machine.zeros(3, 5)))
                        .getMessage());
        assertEquals(
                "gru: expected a hidden state [1, 3, 6], got [2, 3, 6]",
                assertThrows(OpException.class, () -> gru.forward(input, machine.zeros(2, 3, 6)))
                        .getMessage());
        assertThrows(OpException.class, () -> new LSTM(4, 6, RecurrentOptions.defaults(), 6));
        assertThrows(OpException.class, () -> RecurrentOptions.defaults().layers(0));
    }

    @Test
    void dropoutBetweenLayersIsForTrainingOnly() {
        machine.manualSeed(3);
        LSTM lstm = new LSTM(4, 6, RecurrentOptions.defaults().layers(2).dropout(0.5));
        lstm.to(machine);
        Tensor input = machine.randn(5, 3, 4);
        double[] first = lstm.forward(input).toDoubleArray();
        assertEquals(false, Arrays.equals(first, lstm.forward(input).toDoubleArray()));
        lstm.eval();
        double[] quiet = lstm.forward(input).toDoubleArray();
        Closeness.assertClose(quiet, lstm.forward(input));
    }

    @Test
    void printsAsPyTorch() {
        assertEquals(
                "LSTM(4, 6, proj_size=3, num_layers=2, batch_first=True, bidirectional=True)",
                new LSTM(4, 6, new RecurrentOptions(2, true, true, 0, true), 3).toString());
    }
}
