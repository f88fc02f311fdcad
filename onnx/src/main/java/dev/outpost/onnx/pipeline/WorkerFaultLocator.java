package dev.outpost.onnx.pipeline;

import dev.outpost.client.trial.LinkDiagnosis;
import dev.outpost.client.trial.LinkFaultReport;
import dev.outpost.client.trial.LinkProbe;
import dev.outpost.client.trial.ProbedMachine;
import java.util.List;
import java.util.Optional;

/** Finds the machine that is to be left out of a pipeline, where a batch has failed although all machines answer. */
final class WorkerFaultLocator {
    private WorkerFaultLocator() {}

    /** @param worker of the machine that is to be left out */
    record Sentence(PipelineWorker worker, String reason) {}

    /**
     * By known values that each two machines send each other. Waits. Where one stage has all nodes, nothing was exchanged.
     *
     * @param present those that stages may move to, too: they are witnesses
     */
    static Optional<Sentence> tried(PipelineDeployment before, List<PipelineWorker> present) {
        return before.hosts().size() < 2
                ? Optional.empty()
                : LinkProbe.of(tried(present)).flatMap(diagnosis -> sentence(present, diagnosis));
    }

    /** By the word of another machine. */
    static Optional<Sentence> accused(PipelineDeployment before, List<PipelineWorker> present, Throwable problem) {
        List<ProbedMachine> members = before.hosts().stream()
                .map(host -> new ProbedMachine("", host.machine(), Optional.empty(), 0))
                .toList();
        return LinkFaultReport.of(members, String.valueOf(problem.getMessage()))
                .flatMap(diagnosis -> sentence(present, diagnosis));
    }

    private static List<ProbedMachine> tried(List<PipelineWorker> workers) {
        return workers.stream()
                .map(worker -> new ProbedMachine(worker.name(), worker.machine(), worker.host(), worker.memoryBytes()))
                .toList();
    }

    private static Optional<Sentence> sentence(List<PipelineWorker> workers, LinkDiagnosis diagnosis) {
        return workers.stream()
                .filter(worker -> worker.machine() == diagnosis.probed().machine())
                .findFirst()
                .map(worker -> new Sentence(worker, diagnosis.reason()));
    }
}
