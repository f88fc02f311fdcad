package dev.outpost.models;

import dev.outpost.client.trial.Accusation;
import dev.outpost.client.trial.LinkTrial;
import dev.outpost.client.trial.TriedMachine;
import dev.outpost.client.trial.Verdict;
import java.util.List;
import java.util.Optional;

/** Finds the machine that is to be left out of a pipeline, where a step has failed although all machines answer. */
final class StageJudge {
    private StageJudge() {}

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
                : LinkTrial.of(tried(present)).map(verdict -> sentence(present, verdict));
    }

    /** By the word of another machine. */
    static Optional<Sentence> accused(StageDeployment before, Throwable problem) {
        return accused(before.machines(), String.valueOf(problem.getMessage()));
    }

    /** @param members by rank */
    static Optional<Sentence> accused(List<StageMachine> members, String fault) {
        return Accusation.of(tried(members), fault).map(verdict -> sentence(members, verdict));
    }

    private static List<TriedMachine> tried(List<StageMachine> machines) {
        return machines.stream()
                .map(each -> new TriedMachine(each.name(), each.machine(), each.host(), each.memoryBytes()))
                .toList();
    }

    private static Sentence sentence(List<StageMachine> machines, Verdict verdict) {
        return machines.stream()
                .filter(each -> each.machine() == verdict.machine().machine())
                .findFirst()
                .map(each -> new Sentence(each, verdict.reason()))
                .orElseThrow();
    }
}
