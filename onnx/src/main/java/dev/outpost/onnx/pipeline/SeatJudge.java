package dev.outpost.onnx.pipeline;

import dev.outpost.client.trial.Accusation;
import dev.outpost.client.trial.LinkTrial;
import dev.outpost.client.trial.TriedMachine;
import dev.outpost.client.trial.Verdict;
import java.util.List;
import java.util.Optional;

/** Finds the machine that is to be left out of a pipeline, where a batch has failed although all machines answer. */
final class SeatJudge {
    private SeatJudge() {}

    /** @param seat of the machine that is to be left out */
    record Sentence(Seat seat, String reason) {}

    /**
     * By known values that each two machines send each other. Waits. Where one stage has all nodes, nothing was exchanged.
     *
     * @param present those that stages may move to, too: they are witnesses
     */
    static Optional<Sentence> tried(Deployment before, List<Seat> present) {
        return before.hosts().size() < 2
                ? Optional.empty()
                : LinkTrial.of(tried(present)).flatMap(verdict -> sentence(present, verdict));
    }

    /** By the word of another machine. */
    static Optional<Sentence> accused(Deployment before, List<Seat> present, Throwable problem) {
        List<TriedMachine> members = before.hosts().stream()
                .map(host -> new TriedMachine("", host.machine(), Optional.empty(), 0))
                .toList();
        return Accusation.of(members, String.valueOf(problem.getMessage()))
                .flatMap(verdict -> sentence(present, verdict));
    }

    private static List<TriedMachine> tried(List<Seat> seats) {
        return seats.stream()
                .map(seat -> new TriedMachine(seat.name(), seat.machine(), seat.host(), seat.memoryBytes()))
                .toList();
    }

    private static Optional<Sentence> sentence(List<Seat> seats, Verdict verdict) {
        return seats.stream()
                .filter(seat -> seat.machine() == verdict.machine().machine())
                .findFirst()
                .map(seat -> new Sentence(seat, verdict.reason()));
    }
}
