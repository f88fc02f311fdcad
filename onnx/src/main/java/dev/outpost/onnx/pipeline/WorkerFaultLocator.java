package dev.outpost.onnx.pipeline;

import dev.outpost.client.trial.LinkDiagnosis;
import dev.outpost.client.trial.LinkFaultReport;
import dev.outpost.client.trial.LinkProbe;
import dev.outpost.client.trial.ProbedMachine;
import java.util.List;
import java.util.Optional;

/** Finds the machine to exclude from a pipeline after a batch failed although all machines respond. */
final class WorkerFaultLocator {
    private WorkerFaultLocator() {}

    /** @param worker the machine to exclude */
    record Sentence(PipelineWorker worker, String reason) {}

    /**
     * Finds the machine by a trial: each pair of machines exchanges known values. Waits. Empty if one stage has all
     * nodes, because there was no exchange.
     *
     * @param present all present machines; those without stages serve as witnesses
     */
    static Optional<Sentence> tried(PipelineDeployment before, List<PipelineWorker> present) {
        return before.hosts().size() < 2
                ? Optional.empty()
                : LinkProbe.of(tried(present)).flatMap(diagnosis -> sentence(present, diagnosis));
    }

    /** Finds the machine by the report of another machine in the failure's message. */
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
