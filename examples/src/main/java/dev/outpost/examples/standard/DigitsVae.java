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
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Trains a variational autoencoder (Kingma and Welling, 2013) on handwritten digits, and draws new digits. Arguments: the number of epochs,
 * and the folder of the run. The same program in PyTorch is {@code examples/pytorch/digits_vae.py}.
 */
public final class DigitsVae {
    private static final int LATENT = 4;

    static final class Vae extends Module {
        private final Linear hidden = register("hidden", new Linear(64, 128));
        private final Linear mean = register("mean", new Linear(128, LATENT));
        private final Linear logVariance = register("log_variance", new Linear(128, LATENT));
        private final Sequential decoder =
                register("decoder", new Sequential(new Linear(LATENT, 128), new ReLU(), new Linear(128, 64)));

        /** Returns the negative evidence lower bound, per image. */
        Tensor loss(Tensor pixels, Tensor noise) {
            Tensor features = hidden.call(pixels).relu();
            Tensor mu = mean.call(features);
            Tensor logVar = logVariance.call(features);
            Tensor code = mu.add(logVar.mul(0.5).exp().mul(noise));
            Tensor decoded = decoder.call(code);
            Tensor difference = Functional.binaryCrossEntropyWithLogits(decoded, pixels, null, null, Reduction.SUM);
            Tensor divergence =
                    logVar.add(1).sub(mu.square()).sub(logVar.exp()).sum().mul(-0.5);
            return difference.add(divergence).div(pixels.size(0));
        }
    }

    public static void main(String[] args) throws IOException {
        int epochs = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        Path run = Path.of(args.length > 1 ? args[1] : "runs/digits-vae");
        Digits.Split digits = Digits.split(0, 360);
        var loader = new DataLoader<>(digits.train(), 64).shuffle(0);
        var random = new Random(0);
        try (var machine = RemoteMachine.open();
                var metrics = Metrics.to(run)) {
            machine.manualSeed(0);
            var model = new Vae();
            model.to(machine);
            Safetensors.write(run.resolve("start.safetensors"), model.stateDict());
            var optimizer = new Adam(model.parameters(), 2e-3);
            long step = 0;
            for (int epoch = 1; epoch <= epochs; epoch++) {
                var progress = Progress.of(loader).title("epoch " + epoch);
                for (Example batch : progress) {
                    try (var scope = machine.scope()) {
                        optimizer.zeroGrad();
                        Tensor loss = model.loss(batch.x().to(machine), noise(machine, random, batch.size()));
                        loss.backward();
                        optimizer.step();
                        metrics.log(++step, "loss", loss.itemDouble());
                        progress.show("loss", loss.itemDouble());
                    }
                }
            }
            GradMode.noGrad(() -> {
                Tensor pixels = digits.test().x().to(machine);
                double loss = model.loss(pixels, machine.zeros(360, LATENT)).itemDouble();
                System.out.printf("the loss of images that are held out is %.2f; new images:%n", loss);
                print(model.decoder.call(noise(machine, random, 6)).sigmoid());
            });
        }
    }

    /** Draws normal numbers. java.util.Random replaces machine.randn(rows, LATENT), so that PyTorch can draw the same numbers. */
    private static Tensor noise(RemoteMachine machine, Random random, int rows) {
        double[] values = DoubleStream.generate(random::nextGaussian)
                .limit((long) rows * LATENT)
                .toArray();
        return machine.tensor(values, rows, LATENT).float32();
    }

    private static void print(Tensor images) {
        float[][] pixels = images.toFloatArray2d();
        for (int y = 0; y < 8; y++) {
            var line = new StringBuilder();
            for (float[] image : pixels) {
                for (int x = 0; x < 8; x++) {
                    line.append(" .:-=+*#%@".charAt((int) (image[8 * y + x] * 9.99)))
                            .append(x < 7 ? "" : "   ");
                }
            }
            System.out.println(line.toString().stripTrailing());
        }
    }
}
