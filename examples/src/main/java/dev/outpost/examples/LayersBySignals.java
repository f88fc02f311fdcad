package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import java.nio.file.Path;

/**
 * Trains two layers on four machines. The program only names its parts "hidden" and "head". A YAML file decides which machines
 * compute them. Arguments: the file, the provider of the machines.
 */
public final class LayersBySignals {
    private static final int STEPS = 20;
    private static final int BATCH_SIZE = 96;

    private LayersBySignals() {}

    public static void main(String[] args) {
        Path file = Path.of(args.length > 0 ? args[0] : "examples/signals.yaml");
        String provider = args.length > 1 ? args[1] : "mock";
        try (MachineGroup group = MachineGroup.of(provider, "any", 4)) {
            group.signals(file);
            train(group);
        }
    }

    private static void train(MachineGroup group) {
        group.manualSeed(0);
        Linear hidden = new Linear(Digits.PIXELS, 64);
        Linear head = new Linear(64, 10);
        Sequential model = new Sequential(hidden, head);
        model.to(group.machine());
        AdamW optimizer = new AdamW(model.parameters(), 1e-2);
        Digits.Split digits = Digits.split(0, 360);
        for (int step = 1; step <= STEPS; step++) {
            try (Scope scope = group.scope()) {
                int from = (step - 1) % 14 * BATCH_SIZE;
                HostTensor images = digits.train().x().slice(from, from + BATCH_SIZE);
                HostTensor labels = digits.train().y().slice(from, from + BATCH_SIZE);
                optimizer.zeroGrad();
                Tensor features;
                try (SignalScope signal = group.signal("hidden")) {
                    features = hidden.forward(group.tensor(images)).relu();
                }
                Tensor loss;
                try (SignalScope signal = group.signal("head")) {
                    loss = Functional.crossEntropy(head.forward(features), group.tensor(labels));
                }
                if (step == 1) {
                    // The values are split among the machines that the file names.
                    System.out.println("features: " + features.placement());
                    System.out.println("loss: " + loss.placement());
                }
                loss.backward();
                optimizer.step();
                if (step == 1 || step == STEPS) {
                    System.out.printf("step %d: loss %.4f%n", step, loss.itemDouble());
                }
            }
        }
        // The same loss results from any other file, except for rounding. Only the exchanges differ.
        System.out.println("exchanges: " + group.stats().collectives());
    }
}
