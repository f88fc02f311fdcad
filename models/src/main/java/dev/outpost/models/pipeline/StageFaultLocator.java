package dev.outpost.models.pipeline;

import dev.outpost.client.trial.LinkDiagnosis;
import dev.outpost.client.trial.LinkFaultReport;
import dev.outpost.client.trial.LinkProbe;
import dev.outpost.client.trial.ProbedMachine;
import java.util.List;
import java.util.Optional;

/** Finds the machine that is to be left out of a pipeline, where a step has failed although all machines answer. */
final class StageFaultLocator {
    private StageFaultLocator() {}

    /** @param machine the one that is to be left out */
    record Sentence(StageMachine machine, String reason) {}

    /**
     * By known values that each two machines send each other. Waits. Where one stage has all layers, nothing was exchanged.
     *
     * @param present those that stages may move to, too: they are witnesses
     */
    static Optional<Sentence> tried(StageDeployment before, List<StageMachine> present) {
        return before.machines().size() < 2
                ? Optional.empty()
                : LinkProbe.of(tried(present)).map(diagnosis -> sentence(present, diagnosis));
    }

    /** By the word of another machine. */
    static Optional<Sentence> accused(StageDeployment before, Throwable problem) {
        return accused(before.machines(), String.valueOf(problem.getMessage()));
    }

    /** @param members by rank */
    static Optional<Sentence> accused(List<StageMachine> members, String fault) {
        return LinkFaultReport.of(tried(members), fault).map(diagnosis -> sentence(members, diagnosis));
    }

    private static List<ProbedMachine> tried(List<StageMachine> machines) {
        return machines.stream()
                .map(each -> new ProbedMachine(each.name(), each.machine(), each.host(), each.memoryBytes()))
                .toList();
    }

    private static Sentence sentence(List<StageMachine> machines, LinkDiagnosis diagnosis) {
        return machines.stream()
                .filter(each -> each.machine() == diagnosis.probed().machine())
                .findFirst()
                .map(each -> new Sentence(each, diagnosis.reason()))
                .orElseThrow();
    }
}
