package dev.outpost.models.pipeline;

import dev.outpost.client.trial.LinkDiagnosis;
import dev.outpost.client.trial.LinkFaultReport;
import dev.outpost.client.trial.LinkProbe;
import dev.outpost.client.trial.ProbedMachine;
import java.util.List;
import java.util.Optional;

/** Finds the machine to exclude from a pipeline after a step failed although all machines respond. */
final class StageFaultLocator {
    private StageFaultLocator() {}

    /** @param machine the machine to exclude */
    record Sentence(StageMachine machine, String reason) {}

    /**
     * Finds the machine by a trial: each pair of machines exchanges known values. Waits for the machine. Empty if one stage has all
     * layers, because there was no exchange.
     *
     * @param present all present machines; those without layers serve as witnesses
     */
    static Optional<Sentence> tried(StageDeployment before, List<StageMachine> present) {
        return before.machines().size() < 2
                ? Optional.empty()
                : LinkProbe.of(tried(present)).map(diagnosis -> sentence(present, diagnosis));
    }

    /** Finds the machine by the report of another machine in the failure's message. */
    static Optional<Sentence> accused(StageDeployment before, Throwable problem) {
        return accused(before.machines(), String.valueOf(problem.getMessage()));
    }

    /** @param members the machines by rank */
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
