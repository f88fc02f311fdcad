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
import java.util.*;
import java.util.stream.Collectors;

/**
 * Trains a small GPT on the characters of a play by Shakespeare, and samples a text. Arguments: the number of epochs, and the folder of the
 * run. The same program in PyTorch is {@code examples/pytorch/character_gpt.py}.
 */
public final class CharacterGpt {
    private static final int CONTEXT = 32;
    private static final int WIDTH = 64;
    private static final int HEADS = 4;

    static final class Block extends Module {
        private final LayerNorm norm1 = register("norm1", new LayerNorm(WIDTH));
        private final Linear mixed = register("mixed", new Linear(WIDTH, 3 * WIDTH));
        private final Linear joined = register("joined", new Linear(WIDTH, WIDTH));
        private final LayerNorm norm2 = register("norm2", new LayerNorm(WIDTH));
        private final Linear wide = register("wide", new Linear(WIDTH, 4 * WIDTH));
        private final Linear narrow = register("narrow", new Linear(4 * WIDTH, WIDTH));

        @Override
        public Tensor forward(Tensor input) {
            Tensor heads = mixed.call(norm1.call(input)).unflatten(-1, 3 * HEADS, -1);
            List<Tensor> parts = heads.transpose(1, 2).chunk(3, 1);
            var attention = Functional.scaledDotProductAttention(parts.get(0), parts.get(1), parts.get(2), true);
            Tensor x = input.add(joined.call(attention.output().transpose(1, 2).flatten(2)));
            return x.add(narrow.call(wide.call(norm2.call(x)).gelu()));
        }
    }

    static final class Gpt extends Module {
        private final Embedding tokens;
        private final Embedding positions = register("positions", new Embedding(CONTEXT, WIDTH));
        private final Sequential blocks = register("blocks", new Sequential(new Block(), new Block()));
        private final Sequential output;

        Gpt(int characters) {
            tokens = register("tokens", new Embedding(characters, WIDTH));
            output = register("output", new Sequential(new LayerNorm(WIDTH), new Linear(WIDTH, characters)));
        }

        @Override
        public Tensor forward(Tensor ids) {
            Tensor indices = ids.machine().arange(ids.size(1));
            return output.call(blocks.call(tokens.call(ids).add(positions.call(indices))));
        }
    }

    public static void main(String[] args) throws IOException {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 6;
        Path run = Path.of(args.length > 1 ? args[1] : "runs/character-gpt");
        String text = new String(
                CharacterGpt.class.getResourceAsStream("shakespeare.txt").readAllBytes());
        String alphabet =
                text.chars().distinct().sorted().mapToObj(Character::toString).collect(Collectors.joining());
        long[] ids = text.chars().mapToLong(alphabet::indexOf).toArray();
        var examples = Dataset.of((ids.length - 1) / CONTEXT, index -> example(ids, index * CONTEXT));
        var loader = new DataLoader<>(examples, 32).shuffle(0).dropLast();
        try (var machine = RemoteMachine.open();
                var metrics = Metrics.to(run)) {
            machine.manualSeed(0);
            var model = new Gpt(alphabet.length());
            model.to(machine);
            Safetensors.write(run.resolve("start.safetensors"), model.stateDict());
            var optimizer = new AdamW(model.parameters(), 3e-3);
            long step = 0;
            for (int epoch = 1; epoch <= epochs; epoch++) {
                var progress = Progress.of(loader).title("epoch " + epoch);
                for (Example batch : progress) {
                    try (var scope = machine.scope()) {
                        optimizer.zeroGrad();
                        Tensor scores = model.call(batch.x().to(machine));
                        Tensor loss = Functional.crossEntropy(
                                scores.flatten(0, 1), batch.y().to(machine).flatten());
                        loss.backward();
                        optimizer.step();
                        metrics.log(++step, "loss", loss.itemDouble());
                        progress.show("loss", loss.itemDouble());
                    }
                }
            }
            System.out.println(sample(machine, model, alphabet, 200));
        }
    }

    private static Example example(long[] ids, int from) {
        return new Example(
                HostTensor.of(Arrays.copyOfRange(ids, from, from + CONTEXT)),
                HostTensor.of(Arrays.copyOfRange(ids, from + 1, from + CONTEXT + 1)));
    }

    /** Samples a text, one character at a time. java.util.Random replaces multinomial, so that PyTorch can draw the same text. */
    private static String sample(RemoteMachine machine, Gpt model, String alphabet, int length) {
        var random = new Random(0);
        var text = new StringBuilder("ROMEO:\n");
        while (text.length() < length) {
            String end = text.substring(Math.max(0, text.length() - CONTEXT));
            long[] last = end.chars().mapToLong(alphabet::indexOf).toArray();
            try (var scope = machine.scope()) {
                Tensor scores = GradMode.noGrad(() -> model.call(machine.tensor(last, 1, last.length)));
                Tensor sums = scores.select(1, -1).softmax(-1).cumsum(-1);
                text.append(
                        alphabet.charAt((int) sums.lt(random.nextDouble()).sum().itemLong()));
            }
        }
        return text.toString();
    }
}
