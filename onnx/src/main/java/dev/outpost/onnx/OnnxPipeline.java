package dev.outpost.onnx;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.OnnxFile;
import dev.outpost.onnx.pipeline.PipelineEngine;
import dev.outpost.onnx.pipeline.PipelineSettings;
import dev.outpost.onnx.pipeline.PipelineWorker;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.onnx.type.TransferPrecision;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A model in ONNX's format, cut into consecutive stages, each on a machine of its own. Batches pass the stages one behind the
 * other: while one stage computes a batch, the stage before computes the next. Thread-safe.
 *
 * <pre>{@code
 * var workers = Workers.discover(Duration.ofSeconds(3));
 * try (var pipeline = OnnxPipeline.load(workers, "file:models/encoder.onnx", Precision.INT8)) {
 *     float[][] embeddings = pipeline.run(Map.of("input_ids", ids)).get("embeddings");
 * }
 * }</pre>
 *
 * <p>With {@link TransferPrecision#EXACT} and without optimizations the outputs are, bit for bit, those of the whole model on one machine
 * of the same kind. Where a worker is lost, its stages move to the others, and batches under way are computed again.
 */
public final class OnnxPipeline implements AutoCloseable {
    private static final String ONNX = "onnx";

    private final PipelineEngine engine;

    private OnnxPipeline(PipelineEngine engine) {
        this.engine = engine;
    }

    /** As {@link #load(Workers, String, OnnxPipelineOptions)}, with nothing changed. */
    public static OnnxPipeline load(Workers workers, String uri) {
        return load(workers, uri, new OnnxPipelineOptions());
    }

    /** As {@link #load(Workers, String, OnnxPipelineOptions)}, activations travelling as said. */
    public static OnnxPipeline load(Workers workers, String uri, TransferPrecision precision) {
        return load(workers, uri, new OnnxPipelineOptions().precision(precision));
    }

    /**
     * Divides a model over the workers that are there and sends each its stage; waits until all have opened theirs. The workers are
     * measured first. While the workers stay open, those that are lost are used again when they come back.
     *
     * @param uri a file of this host, such as {@code file:models/encoder.onnx}
     * @throws OnnxException where the model cannot be read or cut, or the workers have too little memory; it says what is missing
     */
    public static OnnxPipeline load(Workers workers, String uri, OnnxPipelineOptions options) {
        List<Worker> usable =
                workers.usable().stream().filter(worker -> worker.runs(ONNX)).toList();
        if (usable.isEmpty()) {
            throw new OnnxException("no worker can be used: " + LanPipelineWorkers.whatThereIs(workers));
        }
        ModelGraph model = ModelGraph.of(OnnxFile.read(uri));
        return open(model, LanPipelineWorkers.of(usable, workers), options);
    }

    /** Divides a model over machines, which stay the caller's. The URI is as above. */
    public static OnnxPipeline over(List<RemoteMachine> machines, String uri, OnnxPipelineOptions options) {
        return over(machines, ModelGraph.of(OnnxFile.read(uri)), options);
    }

    /** As {@link #over(List, String, OnnxPipelineOptions)}, of a serialized {@code ModelProto} with all its weights. */
    public static OnnxPipeline over(List<RemoteMachine> machines, byte[] model, OnnxPipelineOptions options) {
        return over(machines, ModelGraph.of(OnnxFile.of(model)), options);
    }

    private static OnnxPipeline over(List<RemoteMachine> machines, ModelGraph model, OnnxPipelineOptions options) {
        List<PipelineWorker> workers = new ArrayList<>();
        for (RemoteMachine machine : machines) {
            workers.add(PipelineWorker.of(machine, machine.name() + "-" + workers.size()));
        }
        return open(model, workers, options);
    }

    private static OnnxPipeline open(ModelGraph model, List<PipelineWorker> workers, OnnxPipelineOptions options) {
        PipelineSettings settings = new PipelineSettings(
                options.precision(),
                options.isOptimized(),
                options.stages(),
                options.mostInFlightOver(options.stages().orElse(workers.size())),
                options.timeout(),
                model.nominalInputs(options.inputShapes()));
        return new OnnxPipeline(PipelineEngine.open(model, workers, settings));
    }

    /** How the model is divided now. */
    public PipelinePlan plan() {
        return engine.plan();
    }

    /** The workers that were lost and have not come back, by name. Their stages are on other workers. */
    public List<String> lost() {
        return engine.lost();
    }

    /**
     * The workers that are not used any more because they sent other workers what they should not, or nothing, each with the reason.
     * Their stages are on other workers.
     */
    public List<String> leftOut() {
        return engine.leftOut();
    }

    /**
     * Runs one batch; waits.
     *
     * @param inputs by name: a {@link HostTensor}, a number, or an array of numbers of any depth
     */
    public ModelOutputs run(Map<String, ?> inputs) {
        return runAsync(inputs).await();
    }

    /** Begins a batch. Waits only where as many as may be are under way; answers come in the order in which batches were begun. */
    public PipelineRun runAsync(Map<String, ?> inputs) {
        return new PipelineRun(engine.begin(ModelInputs.of(inputs)));
    }

    /**
     * Runs batches one behind the other; answers come in their order, as soon as each is there. The stream takes new batches while
     * its answers are taken, so it never holds more than may be under way.
     */
    public Stream<ModelOutputs> runAll(Stream<? extends Map<String, ?>> batches) {
        return new OrderedRuns(batches.iterator(), this::runAsync, engine.mostInFlight()).stream();
    }

    /** Lets go of the workers; batches under way fail. Machines of the caller's stay open. */
    @Override
    public void close() {
        engine.close();
    }
}
