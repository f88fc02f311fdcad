package dev.outpost.onnx.pipeline;

import dev.outpost.client.trial.LinkFaultReport;
import dev.outpost.client.trial.LinkProbe;
import dev.outpost.client.trial.ProbedMachine;
import dev.outpost.client.trial.LinkDiagnosis;
import java.util.List;
import java.util.Optional;

/** Finds the machine that is to be left out of a pipeline, where a batch has failed although all machines answer. */
final class WorkerFaultLocator {
    private WorkerFaultLocator() {}

    /** @param seat of the machine that is to be left out */
    record Sentence(PipelineWorker seat, String reason) {}

    /**
     * By known values that each two machines send each other. Waits. Where one stage has all nodes, nothing was exchanged.
     *
     * @param present those that stages may move to, too: they are witnesses
     */
    static Optional<Sentence> tried(PipelineDeployment before, List<PipelineWorker> present) {
        return before.hosts().size() < 2
                ? Optional.empty()
                : LinkProbe.of(tried(present)).flatMap(verdict -> sentence(present, verdict));
    }

    /** By the word of another machine. */
    static Optional<Sentence> accused(PipelineDeployment before, List<PipelineWorker> present, Throwable problem) {
        List<ProbedMachine> members = before.hosts().stream()
                .map(host -> new ProbedMachine("", host.machine(), Optional.empty(), 0))
                .toList();
        return LinkFaultReport.of(members, String.valueOf(problem.getMessage()))
                .flatMap(verdict -> sentence(present, verdict));
    }

    private static List<ProbedMachine> tried(List<PipelineWorker> seats) {
        return seats.stream()
                .map(seat -> new ProbedMachine(seat.name(), seat.machine(), seat.host(), seat.memoryBytes()))
                .toList();
    }

    private static Optional<Sentence> sentence(List<PipelineWorker> seats, LinkDiagnosis verdict) {
        return seats.stream()
                .filter(seat -> seat.machine() == verdict.machine().machine())
                .findFirst()
                .map(seat -> new Sentence(seat, verdict.reason()));
    }
}
