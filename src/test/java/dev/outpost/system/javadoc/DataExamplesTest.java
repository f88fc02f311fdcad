package dev.outpost.system.javadoc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.data.Collate;
import dev.outpost.data.DataLoader;
import dev.outpost.data.Dataset;
import dev.outpost.data.Example;
import dev.outpost.data.ImageFolder;
import dev.outpost.data.NpyDataset;
import dev.outpost.data.SafetensorsDataset;
import dev.outpost.io.Npy;
import dev.outpost.io.Safetensors;
import dev.outpost.metrics.Metrics;
import dev.outpost.metrics.Progress;
import dev.outpost.metrics.ProgressBar;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.summary.ModuleSummary;
import dev.outpost.types.DType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Examples of the Javadoc of datasets, progress and metrics. */
class DataExamplesTest extends JavadocExamples {
    @Test
    void dataset() {
        // @start region="dataset"
        record Line(String text, int label) {}
        Dataset<Line> inMemory = Dataset.of(List.of(new Line("good", 1), new Line("bad", 0)));
        Dataset<Line> read = Dataset.of(1000, index -> new Line("line " + index, index % 2));
        println(inMemory.item(1)); // Line[text=bad, label=0]
        println(read.item(7)); // Line[text=line 7, label=1]
        // @end
    }

    @Test
    void map() {
        // @start region="map"
        Dataset<String> words = Dataset.of(List.of("one", "three"));
        println(words.map(String::length).item(1)); // 5
        // @end
    }

    @Test
    void collate() {
        // @start region="collate"
        record Image(HostTensor pixels, int label, String file) {}
        record Images(HostTensor pixels, HostTensor label, List<String> file) {}
        Dataset<Image> dataset =
                Dataset.of(2, index -> new Image(HostTensor.of(new float[] {index, 5}), index, index + ".png"));
        for (Images batch : new DataLoader<>(dataset, 2, Collate.into(Images.class))) {
            println(batch.pixels().shape()); // [2, 2]
            println(batch.label()); // tensor([0, 1])
            println(batch.file()); // [0.png, 1.png]
        }
        // @end
    }

    @Test
    void prefetch() {
        // @start region="prefetch"
        Dataset<HostTensor> slow = Dataset.of(6, index -> HostTensor.scalar((long) index)); // as from a store
        for (HostTensor batch : new DataLoader<>(slow, 2).prefetch(3)) {
            println(batch);
        }
        // tensor([0, 1])
        // tensor([2, 3])
        // tensor([4, 5])
        // @end
    }

    @Test
    void progress() {
        DataLoader<HostTensor> loader = new DataLoader<>(Dataset.of(2, index -> HostTensor.scalar(1f)), 2);
        // @start region="progress"
        Progress<HostTensor> progress = Progress.of(loader).title("epoch 1");
        for (HostTensor batch : progress) {
            double loss = machine.tensor(batch).sum().itemDouble();
            progress.show("loss", loss);
            println(loss); // 2.0
        }
        // On standard error: epoch 1: 1/1 [########################] loss 2.0000, 0:00 passed
        // @end
    }

    @Test
    void progressBar() {
        // @start region="progressBar"
        try (ProgressBar bar = new ProgressBar(100).unit("tokens")) {
            for (int step = 0; step < 100; step++) {
                bar.show("loss", 1.0 / (step + 1)).step(2048);
            }
            println("trained"); // trained
        }
        // @end
    }

    @Test
    void metrics(@TempDir Path folder) throws IOException {
        // @start region="metrics"
        try (Metrics metrics = Metrics.to(folder)) {
            for (int step = 1; step <= 3; step++) {
                metrics.log(step, "loss", 1.0 / step);
            }
        }
        try (var files = Files.list(folder)) {
            println(files.count()); // 3
        }
        // @end
        assertEquals(4, Files.readAllLines(folder.resolve(Metrics.CSV_FILE)).size());
    }

    @Test
    void summary() {
        // @start region="summary"
        Sequential model = new Sequential(new Linear(4, 8), new ReLU(), new Linear(8, 2));
        model.to(machine);
        ModuleSummary summary = ModuleSummary.of(model, machine.zeros(1, 4));
        println(summary.layers().get(1).output().get()); // [1, 8]
        println(summary.parameters()); // 58
        // @end
    }

    @Test
    void imageFolder(@TempDir Path root) throws IOException {
        for (String name : List.of("cat", "dog")) {
            Files.createDirectories(root.resolve(name));
            ImageIO.write(
                    new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB),
                    "png",
                    root.resolve(name).resolve("1.png").toFile());
        }
        // @start region="imageFolder"
        ImageFolder images = ImageFolder.open(root).size(32, 32);
        println(images.classes()); // [cat, dog]
        for (Example batch : new DataLoader<>(images, 64).shuffle(0).prefetch(4)) {
            Tensor x = machine.tensor(batch.x()).to(DType.FLOAT32).div(255);
            println(x.shape()); // [2, 3, 32, 32]
        }
        // @end
    }

    @Test
    void npyDataset(@TempDir Path folder) throws IOException {
        // @start region="npyDataset"
        Npy.write(folder.resolve("x.npy"), HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2));
        Npy.write(folder.resolve("y.npy"), HostTensor.of(new long[] {0, 1}));
        try (NpyDataset x = NpyDataset.open(folder.resolve("x.npy"));
                NpyDataset y = NpyDataset.open(folder.resolve("y.npy"))) {
            Dataset<Example> dataset = Dataset.of(x.size(), index -> new Example(x.item(index), y.item(index)));
            for (Example batch : new DataLoader<>(dataset, 2).shuffle(0)) {
                println(batch.x().shape()); // [2, 2]
            }
        }
        // @end
    }

    @Test
    void safetensorsDataset(@TempDir Path folder) throws IOException {
        // @start region="safetensorsDataset"
        Path file = folder.resolve("train.safetensors");
        Safetensors.write(
                file,
                Map.of("x", HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2), "y", HostTensor.of(new long[] {0, 1})));
        try (SafetensorsDataset dataset = SafetensorsDataset.open(file, "x", "y")) {
            for (Map<String, HostTensor> batch : new DataLoader<>(dataset, 2)) {
                println(batch.get("y")); // tensor([0, 1])
            }
        }
        // @end
    }
}
