package dev.outpost.examples.models;

import dev.outpost.*;
import dev.outpost.nn.*;
import dev.outpost.onnx.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes a model in ONNX's format, and runs it on two machines: the first one computes the first half of the layers, and the second one
 * the others.
 */
public final class OnnxStages {
    private static final int BATCHES = 5;

    private OnnxStages() {}

    public static void main(String[] args) throws Exception {
        Path file = Files.createTempDirectory("outpost").resolve("model.onnx");
        try (RemoteMachine first = RemoteMachine.open();
                RemoteMachine second = RemoteMachine.open()) {
            first.manualSeed(0);
            Sequential model = new Sequential(
                    new Linear(64, 256), new ReLU(), new Linear(256, 256), new ReLU(), new Linear(256, 10));
            model.to(first);
            model.eval();
            // The example input decides the shape of the model's input.
            OnnxExport.write(model, first.zeros(8, 64), file);
            System.out.println(Files.size(file) + " bytes of ONNX");

            OnnxPipelineOptions options = new OnnxPipelineOptions().stages(2);
            try (OnnxPipeline pipeline = OnnxPipeline.over(List.of(first, second), file.toString(), options)) {
                System.out.println(pipeline.plan().explain());

                List<Tensor> batches = IntStream.range(0, BATCHES)
                        .mapToObj(number -> first.randn(8, 64))
                        .toList();
                // While the second machine computes a batch, the first one computes the next batch.
                Stream<Map<String, HostTensor>> inputs = batches.stream().map(batch -> Map.of("input", batch.toHost()));
                List<ModelOutputs> outputs = pipeline.runAll(inputs).toList();
                for (int number = 0; number < BATCHES; number++) {
                    Tensor expected = model.forward(batches.get(number));
                    Tensor output = first.tensor(outputs.get(number).tensor("output"));
                    double difference = output.sub(expected).abs().max().itemDouble();
                    System.out.printf("batch %d: differs from the model by at most %.1e%n", number + 1, difference);
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
