package dev.outpost.onnx.pipeline;

import dev.outpost.PeerLinks;
import dev.outpost.onnx.graph.ModelGraph;
import dev.outpost.onnx.graph.Stage;
import dev.outpost.onnx.graph.StageCutter;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.StagePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Opens the stages of a division on their machines. */
final class StageDeployer {
    private final ModelGraph model;
    private final PipelineSettings settings;
    private final ActivationCodec codec;
    private final PipelineDeployment.FailureListener onFailure;

    /** @param onFailure receives each batch that fails */
    StageDeployer(ModelGraph model, PipelineSettings settings, PipelineDeployment.FailureListener onFailure) {
        this.model = model;
        this.settings = settings;
        this.codec = new ActivationCodec(settings.precision());
        this.onFailure = onFailure;
    }

    /**
     * Opens each stage on its machine, and waits until all are open.
     *
     * @param workers the machines that the division refers to by index
     */
    PipelineDeployment deploy(PipelinePlan division, List<PipelineWorker> workers) {
        StageCutter cutter = model.cutter(settings.inputs());
        List<StageHost> hosts = new ArrayList<>();
        boolean isDone = false;
        try {
            for (StagePlan each : division.stages()) {
                Stage stage = cutter.stage(each.first(), each.end());
                hosts.add(StageHost.open(
                        workers.get(each.worker()).machine(), model.file(), stage, settings.isOptimized()));
            }
            hosts.forEach(StageHost::awaitOpen);
            PipelineDeployment next =
                    new PipelineDeployment(hosts, model.index().outputs(), codec, links(division, workers), onFailure);
            isDone = true;
            return next;
        } finally {
            if (!isDone) {
                hosts.forEach(StageHost::close);
            }
        }
    }

    /** Connects the machines of a division; empty if there is only one. */
    private Optional<PeerLinks> links(PipelinePlan division, List<PipelineWorker> workers) {
        List<PipelineWorker> used = division.stages().stream()
                .map(stage -> workers.get(stage.worker()))
                .toList();
        return used.size() == 1
                ? Optional.empty()
                : Optional.of(PeerLinks.open(
                        used.stream().map(PipelineWorker::machine).toList(),
                        used.stream().map(PipelineWorker::host).toList(),
                        settings.timeout()));
    }
}
