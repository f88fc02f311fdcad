package dev.outpost.examples.standard;

import dev.outpost.*;
import dev.outpost.autograd.*;
import dev.outpost.data.*;
import dev.outpost.io.*;
import dev.outpost.metrics.*;
import dev.outpost.nn.*;
import dev.outpost.nn.Module;
import dev.outpost.optim.*;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Trains an LSTM on words of different lengths, which are packed: does a word belong to Reber's grammar (Cleeremans et al., 1989), or was one
 * of its letters changed? Arguments: the number of epochs, and the folder of the run. The same program in PyTorch is
 * {@code examples/pytorch/packed_lstm.py}.
 */
public final class PackedLstm {
    private static final String LETTERS = "BTPSXVE";
    /** The two transitions of each state: a letter and the number of the next state. State 7 ends the word. */
    private static final String[] GRAMMAR = {"B1B1", "T2P3", "S2X4", "T3V5", "X3S6", "P4V6", "E7E7"};

    record Word(long[] letters, long isRight) {}

    record Words(HostTensor letters, long[] lengths, HostTensor areRight) {}

    static final class Net extends Module {
        private final Embedding embedding = register("embedding", new Embedding(LETTERS.length(), 16));
        private final LSTM lstm =
                register("lstm", new LSTM(16, 64, RecurrentOptions.defaults().batchFirst(true)));
        private final Linear output = register("output", new Linear(64, 2));

        Tensor forward(Tensor letters, long... lengths) {
            var packed = Sequences.packPaddedSequence(embedding.call(letters), lengths, true, false);
            return output.call(lstm.forward(packed, null, null).hidden().select(0, -1));
        }
    }

    public static void main(String[] args) throws IOException {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        Path run = Path.of(args.length > 1 ? args[1] : "runs/packed-lstm");
        var random = new Random(0);
        List<Word> words = Stream.generate(() -> word(random)).limit(2400).toList();
        Dataset<Word> training = Dataset.of(words.subList(0, 2000));
        var loader = new DataLoader<>(training, 50, batch -> collate(batch)).shuffle(0);
        try (var machine = RemoteMachine.open();
                var metrics = Metrics.to(run)) {
            machine.manualSeed(0);
            var model = new Net();
            model.to(machine);
            Safetensors.write(run.resolve("start.safetensors"), model.stateDict());
            var optimizer = new Adam(model.parameters(), 3e-3);
            long step = 0;
            for (int epoch = 1; epoch <= epochs; epoch++) {
                var progress = Progress.of(loader).title("epoch " + epoch);
                for (Words batch : progress) {
                    try (var scope = machine.scope()) {
                        optimizer.zeroGrad();
                        Tensor scores = model.forward(batch.letters().to(machine), batch.lengths());
                        Tensor loss =
                                Functional.crossEntropy(scores, batch.areRight().to(machine));
                        loss.backward();
                        GradientClipping.clipGradNorm(model.parameters(), 1);
                        optimizer.step();
                        metrics.log(++step, "loss", loss.itemDouble());
                        progress.show("loss", loss.itemDouble());
                    }
                }
            }
            Words test = collate(words.subList(2000, 2400));
            Tensor guesses = GradMode.noGrad(() ->
                    model.forward(test.letters().to(machine), test.lengths()).argmax(1));
            double accuracy =
                    guesses.eq(test.areRight().to(machine)).float32().mean().itemDouble();
            metrics.log(step, "accuracy", accuracy);
            System.out.printf("%.1f %% of %d words are classified correctly%n", 100 * accuracy, test.lengths().length);
        }
    }

    /** Returns a word of the grammar. With a probability of one half, replaces one of its letters by another letter. */
    private static Word word(Random random) {
        var word = new StringBuilder();
        for (int state = 0; state < GRAMMAR.length; ) {
            int choice = 2 * random.nextInt(2);
            word.append(GRAMMAR[state].charAt(choice));
            state = GRAMMAR[state].charAt(choice + 1) - '0';
        }
        boolean isRight = random.nextInt(2) == 0;
        if (!isRight) {
            int place = random.nextInt(word.length());
            int letter = LETTERS.indexOf(word.charAt(place)) + 1 + random.nextInt(LETTERS.length() - 1);
            word.setCharAt(place, LETTERS.charAt(letter % LETTERS.length()));
        }
        return new Word(word.chars().mapToLong(LETTERS::indexOf).toArray(), isRight ? 1 : 0);
    }

    /** Pads the words of a batch to the length of the longest one. The zeros at the end are not read, because the batch is packed. */
    private static Words collate(List<? extends Word> words) {
        long[] lengths = words.stream().mapToLong(word -> word.letters().length).toArray();
        int longest = (int) Arrays.stream(lengths).max().orElseThrow();
        long[][] letters = words.stream()
                .map(word -> Arrays.copyOf(word.letters(), longest))
                .toArray(long[][]::new);
        return new Words(
                HostTensor.of(letters),
                lengths,
                HostTensor.of(words.stream().mapToLong(Word::isRight).toArray()));
    }
}
