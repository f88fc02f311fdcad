package dev.outpost.models;

import dev.outpost.models.LinkTrial.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the machine that is to be left out of a pipeline, where a step has failed although all machines answer. */
final class StageJudge {
    /** How the fault of an exchange names the other machine. */
    private static final Pattern ACCUSED = Pattern.compile("member (\\d{1,4}) (?:sent|took|did not come|is gone)");

    private StageJudge() {}

    /**
     * By known values that each two machines send each other. Waits. Where one stage has all layers, nothing was exchanged.
     *
     * @param present those that stages may move to, too: they are witnesses
     */
    static Optional<Verdict> tried(StageDeployment before, List<StageMachine> present) {
        return before.machines().size() < 2 ? Optional.empty() : LinkTrial.of(present);
    }

    /** By the word of another machine: the one that a fault names last, since a machine that passes it on names itself before. */
    static Optional<Verdict> accused(StageDeployment before, Throwable problem) {
        return accused(before.machines(), String.valueOf(problem.getMessage()));
    }

    /** @param members by rank */
    static Optional<Verdict> accused(List<StageMachine> members, String fault) {
        Matcher named = ACCUSED.matcher(fault);
        Optional<StageMachine> accused = Optional.empty();
        while (members.size() > 1 && named.find()) {
            int rank = Integer.parseInt(named.group(1));
            accused = rank < members.size() ? Optional.of(members.get(rank)) : accused;
        }
        return accused.map(machine -> new Verdict(machine, fault));
    }
}
