package dev.outpost.onnx.pipeline;

import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.plan.ModelCosts;
import dev.outpost.onnx.plan.Partitioner;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.WorkerSpeed;
import java.util.List;
import java.util.OptionalInt;

/** Divides a model over machines. */
final class ModelDivision {
    private ModelDivision() {}

    /** Measures the machines, and divides a model over them. */
    static PipelinePlan measured(ModelGraph model, List<PipelineWorker> workers, PipelineSettings settings) {
        List<WorkerSpeed> speeds = workers.stream()
                .map(worker -> Calibration.measure(worker.machine(), worker.name(), worker.memoryBytes()))
                .toList();
        return of(model, speeds, settings, settings.stages());
    }

    /**
     * Divides a model over machines with known speeds, into the requested number of stages if enough machines are
     * present.
     */
    static PipelinePlan of(ModelGraph model, List<WorkerSpeed> speeds, PipelineSettings settings) {
        boolean isEnough = speeds.size() >= settings.stages().orElse(1);
        return of(model, speeds, settings, isEnough ? settings.stages() : OptionalInt.empty());
    }

    private static PipelinePlan of(
            ModelGraph model, List<WorkerSpeed> speeds, PipelineSettings settings, OptionalInt stages) {
        StageCutter cutter = model.cutter(settings.inputs());
        ModelCosts costs = new ModelCosts(model.index(), model.types(settings.inputs()), cutter);
        double compression = settings.precision().bits() / Float.SIZE;
        return stages.isPresent()
                ? Partitioner.even(costs, speeds, stages.getAsInt(), compression)
                : Partitioner.plan(costs, speeds, compression);
    }
}
