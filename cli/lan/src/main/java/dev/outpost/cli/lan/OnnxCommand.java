package dev.outpost.cli.lan;

import dev.outpost.HostTensor;
import dev.outpost.cli.support.TextTable;
import dev.outpost.io.Npy;
import dev.outpost.onnx.ModelOutputs;
import dev.outpost.onnx.ModelSummary;
import dev.outpost.onnx.type.OnnxException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs models in ONNX's format. */
@Command(name = "onnx", description = "Run models in ONNX's format, cut over workers.")
final class OnnxCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private void print(Iterable<String> lines) {
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
    }

    @Command(name = "info", description = "Tell inputs, outputs, operators and weights of a model; starts nothing.")
    void info(@Parameters(paramLabel = "MODEL", description = "A file.") String model) {
        ModelSummary summary = ModelSummary.of(model);
        TextTable table = new TextTable("MODEL", model);
        summary.inputs().forEach((name, type) -> table.row("input " + name, type));
        summary.outputs().forEach((name, type) -> table.row("output " + name, type));
        table.row("nodes", Integer.toString(summary.nodes()));
        table.row("operators", summary.operators());
        table.row("weights", summary.weights());
        table.row("cut at most", Integer.toString(summary.cuts()) + " places");
        print(table.lines());
    }

    @Command(name = "split", description = "Divide a model over workers, and tell how.")
    void split(
            @Parameters(paramLabel = "MODEL", description = "A file.") String model,
            @Mixin PipelineChoice choice,
            @Option(names = "--explain", description = "Print and draw the whole plan.") boolean isExplained)
            throws IOException {
        choice.run(model, pipeline -> {
            if (isExplained) {
                print(List.of(pipeline.plan().explain()));
            } else {
                print(pipeline.plan().stages().stream()
                        .map(stage ->
                                pipeline.plan().workers().get(stage.worker()).name() + ": nodes " + stage.first()
                                        + " to " + (stage.end() - 1))
                        .toList());
            }
        });
    }

    @Command(name = "run", description = "Run a model on .npy files, and write each output as one.")
    void runModel(
            @Parameters(paramLabel = "MODEL", description = "A file.") String model,
            @Mixin PipelineChoice choice,
            @Option(
                            names = "--input",
                            paramLabel = "NAME=FILE.npy",
                            description = "An input; once for each.",
                            required = true)
                    List<String> inputs,
            @Option(names = "--output", paramLabel = "DIR", description = "Where outputs go.", required = true)
                    Path output)
            throws IOException {
        Map<String, HostTensor> given = read(inputs);
        Files.createDirectories(output);
        choice.run(model, pipeline -> {
            ModelOutputs outputs = pipeline.run(given);
            List<String> lines = new ArrayList<>();
            for (Map.Entry<String, HostTensor> each : outputs.tensors().entrySet()) {
                Path file = output.resolve(each.getKey().replaceAll("[^A-Za-z0-9._-]", "_") + ".npy");
                Npy.write(file, each.getValue());
                lines.add(file + " " + each.getValue().dtype() + " "
                        + each.getValue().shape());
            }
            print(lines);
        });
    }

    private static Map<String, HostTensor> read(List<String> inputs) throws IOException {
        Map<String, HostTensor> given = new LinkedHashMap<>();
        for (String input : inputs) {
            String[] sides = input.split("=", 2);
            if (sides.length != 2) {
                throw new OnnxException("--input: expected NAME=FILE.npy, got " + input);
            }
            given.put(sides[0], Npy.read(Path.of(sides[1])));
        }
        return given;
    }

    @Command(
            name = "bench",
            description =
                    "Measure a model on workers: batches a second, latency, bytes that stages send, and the effect of"
                            + " --precision on the outputs.")
    void bench(
            @Parameters(paramLabel = "MODEL", description = "A file.") String model,
            @Mixin PipelineChoice choice,
            @Option(
                            names = "--input",
                            paramLabel = "NAME=FILE.npy",
                            description = "An input; once for each.",
                            required = true)
                    List<String> inputs,
            @Option(names = "--batches", description = "How many; ${DEFAULT-VALUE} by default.", defaultValue = "50")
                    int batches)
            throws IOException {
        Map<String, HostTensor> given = read(inputs);
        choice.run(model, pipeline -> print(PipelineBench.measure(pipeline, given, batches)));
        if (choice.isRounding()) {
            Map<String, HostTensor> rounded = outputs(given, use -> choice.run(model, use));
            Map<String, HostTensor> exact = outputs(given, use -> choice.runExactly(model, use));
            print(PipelineBench.effect(rounded, exact));
        }
    }

    /** A way to run a pipeline. */
    private interface Runs {
        void with(PipelineChoice.Use use) throws IOException;
    }

    private static Map<String, HostTensor> outputs(Map<String, HostTensor> given, Runs runs) throws IOException {
        Map<String, HostTensor> outputs = new LinkedHashMap<>();
        runs.with(pipeline -> outputs.putAll(pipeline.run(given).tensors()));
        return outputs;
    }
}
