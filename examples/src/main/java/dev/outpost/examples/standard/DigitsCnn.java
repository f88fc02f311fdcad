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

/**
 * Trains a convolutional network on handwritten digits. Arguments: the number of epochs, and the folder of the run. The same program in
 * PyTorch is {@code examples/pytorch/digits_cnn.py}.
 */
public final class DigitsCnn {
    static final class Net extends Module {
        private final Conv2d conv1 = register("conv1", new Conv2d(1, 16, 3, 1, 1));
        private final Conv2d conv2 = register("conv2", new Conv2d(16, 32, 3, 1, 1));
        private final Linear hidden = register("hidden", new Linear(32 * 2 * 2, 64));
        private final Linear output = register("output", new Linear(64, 10));

        @Override
        public Tensor forward(Tensor pixels) {
            Tensor x = pixels.view(-1, 1, 8, 8);
            x = Functional.maxPool2d(conv1.call(x).relu(), 2);
            x = Functional.maxPool2d(conv2.call(x).relu(), 2);
            return output.call(hidden.call(x.flatten(1)).relu());
        }
    }

    public static void main(String[] args) throws IOException {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        Path run = Path.of(args.length > 1 ? args[1] : "runs/digits-cnn");
        Digits.Split digits = Digits.split(0, 360);
        var loader = new DataLoader<>(digits.train(), 64).shuffle(0);
        try (var machine = RemoteMachine.open();
                var metrics = Metrics.to(run)) {
            machine.manualSeed(0);
            var model = new Net();
            model.to(machine);
            Safetensors.write(run.resolve("start.safetensors"), model.stateDict());
            var optimizer = new AdamW(model.parameters(), 1e-3);
            long step = 0;
            for (int epoch = 1; epoch <= epochs; epoch++) {
                var progress = Progress.of(loader).title("epoch " + epoch);
                for (Example batch : progress) {
                    try (var scope = machine.scope()) {
                        optimizer.zeroGrad();
                        Tensor scores = model.call(batch.x().to(machine));
                        Tensor loss = Functional.crossEntropy(scores, batch.y().to(machine));
                        loss.backward();
                        optimizer.step();
                        metrics.log(++step, "loss", loss.itemDouble());
                        progress.show("loss", loss.itemDouble());
                    }
                }
            }
            double accuracy = accuracy(machine, model, digits.test());
            metrics.log(step, "accuracy", accuracy);
            System.out.printf(
                    "%.1f %% of %d images are read correctly%n",
                    100 * accuracy, digits.test().size());
        }
    }

    private static double accuracy(RemoteMachine machine, Net model, TensorDataset test) {
        model.eval();
        try (var scope = machine.scope()) {
            Tensor guesses =
                    GradMode.noGrad(() -> model.call(test.x().to(machine)).argmax(1));
            return guesses.eq(test.y().to(machine)).float32().mean().itemDouble();
        }
    }
}
