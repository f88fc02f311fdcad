package dev.outpost.cli.lan;

import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.OnnxPipelineOptions;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.onnx.type.TransferPrecision;
import dev.outpost.provider.lan.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that choose the workers of a model and how it runs on them. */
final class PipelineChoice {
    private static final Duration LOOK = Duration.ofSeconds(3);

    @Option(
            names = "--workers",
            paramLabel = "N|lan",
            description =
                    "\"lan\" for the paired workers of the local network, or how many processes of this host to start;"
                            + " 1 by default.",
            defaultValue = "1")
    private String workers;

    @Option(
            names = "--precision",
            description = "How activations travel: ${COMPLETION-CANDIDATES}; exact by default.",
            defaultValue = "exact")
    private TransferPrecision precision;

    @Option(names = "--stages", description = "Exactly so many stages of equal cost, instead of the best division.")
    private Integer stages;

    @Option(names = "--optimized", description = "Let ONNX Runtime fuse nodes: faster, and rounded differently.")
    private boolean isOptimized;

    @Option(
            names = "--shape",
            paramLabel = "INPUT=N,N,...",
            description = "The shape of an input that the model is divided for.")
    private List<String> shapes = new ArrayList<>();

    /** The use of a pipeline. */
    interface Use {
        void with(OnnxPipeline pipeline) throws IOException;
    }

    void run(String model, Use use) throws IOException {
        run(model, options(), use);
    }

    /** True if activations are rounded before they are sent. */
    boolean isRounding() {
        return precision != TransferPrecision.EXACT;
    }

    /** Runs a model like {@link #run}, but sends activations unrounded. */
    void runExactly(String model, Use use) throws IOException {
        run(model, options().precision(TransferPrecision.EXACT), use);
    }

    private void run(String model, OnnxPipelineOptions options, Use use) throws IOException {
        if (workers.equals("lan")) {
            try (Workers found = Workers.discover(LOOK);
                    OnnxPipeline pipeline = OnnxPipeline.load(found, model, options)) {
                use.with(pipeline);
            }
            return;
        }
        if (!workers.matches("[1-9][0-9]?")) {
            throw new OnnxException("--workers: expected lan or a number from 1 to 99, got " + workers);
        }
        try (LocalWorkers started = LocalWorkers.start(Integer.parseInt(workers));
                OnnxPipeline pipeline = OnnxPipeline.over(started.machines(), model, options)) {
            use.with(pipeline);
        }
    }

    private OnnxPipelineOptions options() {
        OnnxPipelineOptions options =
                new OnnxPipelineOptions().precision(precision).optimized(isOptimized);
        if (stages != null) {
            options.stages(stages);
        }
        for (String shape : shapes) {
            String[] sides = shape.split("=", 2);
            if (sides.length != 2 || !sides[1].matches("[0-9]{1,9}(,[0-9]{1,9})*")) {
                throw new OnnxException("--shape: expected such as input=1,3,224,224, got " + shape);
            }
            options.inputShape(
                    sides[0],
                    Arrays.stream(sides[1].split(","))
                            .mapToLong(Long::parseLong)
                            .toArray());
        }
        return options;
    }
}
