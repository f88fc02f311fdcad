package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.data.*;
import dev.outpost.metrics.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import java.nio.file.Path;

/**
 * Trains on a dataset of records in a plain loop: batches are collated by component and loaded ahead, and a bar shows rate, loss and the time
 * left. Further arguments: epochs, a folder for metrics.
 */
public final class PlainLoop {
    private static final int POINTS = 2000;
    private static final int EPOCHS = 5;

    /** A point, and whether it is within the circle of radius 1. */
    record Point(double x, double y, boolean isInside) {
        HostTensor coordinates() {
            return HostTensor.of(new float[] {(float) x, (float) y});
        }
    }

    /** An element of the dataset: any record. */
    record Labelled(HostTensor coordinates, int label, String name) {}

    /** A batch: the same components, with tensors of all elements. */
    record Batch(HostTensor coordinates, HostTensor label) {}

    private PlainLoop() {}

    public static void main(String[] args) {
        ExampleArguments arguments = ExampleArguments.of(args);
        Dataset<Labelled> dataset = Dataset.of(POINTS, PlainLoop::point)
                .map(point -> new Labelled(point.coordinates(), point.isInside() ? 1 : 0, point.toString()));
        DataLoader<Batch> loader = new DataLoader<>(dataset, 50, Collate.into(Batch.class))
                .shuffle(0)
                .prefetch(4);
        try (var machine = arguments.machine();
                var metrics = Metrics.to(Path.of(arguments.text(1, "target/runs/plain-loop")))) {
            machine.manualSeed(0);
            Sequential model = new Sequential(new Linear(2, 32), new ReLU(), new Linear(32, 2)).to(machine);
            AdamW optimizer = new AdamW(model.parameters(), 1e-2);
            long step = 0;
            for (int epoch = 1; epoch <= arguments.number(0, EPOCHS); epoch++) {
                double sum = 0;
                Progress<Batch> progress = Progress.of(loader).title("epoch " + epoch);
                for (Batch batch : progress) {
                    double loss = step(machine, model, optimizer, batch);
                    progress.show("loss", loss);
                    metrics.log(++step, "loss", loss);
                    sum += loss;
                }
                System.out.printf("epoch %d: mean loss %.4f%n", epoch, sum / loader.batches());
            }
        }
    }

    private static double step(RemoteMachine machine, Sequential model, AdamW optimizer, Batch batch) {
        try (var scope = machine.scope()) {
            optimizer.zeroGrad();
            Tensor scores = model.call(machine.tensor(batch.coordinates()));
            Tensor loss = Functional.crossEntropy(scores, machine.tensor(batch.label()));
            loss.backward();
            optimizer.step();
            return loss.itemDouble();
        }
    }

    /** Returns a point of a spiral, as a file or a store would. */
    private static Point point(int index) {
        double radius = 2 * Math.sqrt((index + 0.5) / POINTS);
        double angle = index * 2.399963;
        return new Point(radius * Math.cos(angle), radius * Math.sin(angle), radius < 1);
    }
}
