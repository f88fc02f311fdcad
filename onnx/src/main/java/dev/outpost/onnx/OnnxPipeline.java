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
 * A model in ONNX's format, divided into consecutive stages on different machines. Batches pass the stages one after
 * the other: while one stage computes a batch, the previous stage computes the next batch. Thread-safe.
 *
 * <pre>{@code
 * var workers = Workers.discover(Duration.ofSeconds(3));
 * try (var pipeline = OnnxPipeline.load(workers, "file:models/encoder.onnx", TransferPrecision.INT8)) {
 *     float[][] embeddings = pipeline.run(Map.of("input_ids", ids)).get("embeddings");
 * }
 * }</pre>
 *
 * <p>With {@link TransferPrecision#EXACT} and without optimizations, the outputs have the same bits as those of the whole
 * model on one machine of the same kind. If a worker is lost, its stages move to the others, and batches under way are
 * computed again.
 */
public final class OnnxPipeline implements AutoCloseable {
    private static final String ONNX = "onnx";

    private final PipelineEngine engine;

    private OnnxPipeline(PipelineEngine engine) {
        this.engine = engine;
    }

    /** Loads a model like {@link #load(Workers, String, OnnxPipelineOptions)}, with the default options. */
    public static OnnxPipeline load(Workers workers, String uri) {
        return load(workers, uri, new OnnxPipelineOptions());
    }

    /** Loads a model like {@link #load(Workers, String, OnnxPipelineOptions)}, with a precision for activations. */
    public static OnnxPipeline load(Workers workers, String uri, TransferPrecision precision) {
        return load(workers, uri, new OnnxPipelineOptions().precision(precision));
    }

    /**
     * Divides a model over the visible workers and sends each its stage. Measures the workers first. Waits until all
     * have opened their stages. While the workers stay open, a lost worker that is reachable again is used again.
     *
     * @param uri a file of this host, such as {@code file:models/encoder.onnx}
     * @throws OnnxException if the model cannot be read or cut, or the memory is too small; the message names the
     *     missing part
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

    /** Divides a model over machines, which the caller still has to close. The URI is that of a file of this host. */
    public static OnnxPipeline over(List<RemoteMachine> machines, String uri, OnnxPipelineOptions options) {
        return over(machines, ModelGraph.of(OnnxFile.read(uri)), options);
    }

    /**
     * Divides a serialized {@code ModelProto} with all its weights, like {@link #over(List, String, OnnxPipelineOptions)}.
     */
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

    /** Returns the present division of the model. */
    public PipelinePlan plan() {
        return engine.plan();
    }

    /** Returns the names of lost workers that are not reachable again. Their stages are on other workers. */
    public List<String> lost() {
        return engine.lost();
    }

    /**
     * Returns the workers that are excluded because they sent wrong data or no data to others, each with the reason.
     * Their stages are on other workers.
     */
    public List<String> leftOut() {
        return engine.leftOut();
    }

    /**
     * Runs one batch. Waits.
     *
     * @param inputs the inputs by name: a {@link HostTensor}, a number, or an array of numbers of any depth
     */
    public ModelOutputs run(Map<String, ?> inputs) {
        return runAsync(inputs).await();
    }

    /**
     * Starts a batch. Waits only while the maximum number of batches is under way. Batches complete in the order in
     * which they were started.
     */
    public PipelineRun runAsync(Map<String, ?> inputs) {
        return new PipelineRun(engine.begin(ModelInputs.of(inputs)));
    }

    /**
     * Runs batches in sequence. The stream returns results in the order of the batches, as soon as each is available.
     * It starts new batches as results are taken, so it never holds more batches than may be under way.
     */
    public Stream<ModelOutputs> runAll(Stream<? extends Map<String, ?>> batches) {
        return new OrderedRuns(batches.iterator(), this::runAsync, engine.mostInFlight()).stream();
    }

    /** Releases the workers; batches under way fail. The caller's machines stay open. */
    @Override
    public void close() {
        engine.close();
    }
}
