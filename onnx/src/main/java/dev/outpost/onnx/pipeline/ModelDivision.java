package dev.outpost.onnx.pipeline;

import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.plan.ModelCosts;
import dev.outpost.onnx.plan.Partitioner;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.WorkerSpeed;
import java.util.List;
import java.util.OptionalInt;

/** How a model is divided over machines. */
final class ModelDivision {
    private ModelDivision() {}

    /** The division of a model over machines, which are measured for it. */
    static PipelinePlan measured(ModelGraph model, List<PipelineWorker> workers, PipelineSettings settings) {
        List<WorkerSpeed> speeds = workers.stream()
                .map(worker -> Calibration.measure(worker.machine(), worker.name(), worker.memoryBytes()))
                .toList();
        return of(model, speeds, settings, settings.stages());
    }

    /** As {@link #measured}, over machines whose speeds are known: into as many stages as asked for where there are as many machines. */
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
