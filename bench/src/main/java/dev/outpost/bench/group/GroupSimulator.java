package dev.outpost.bench.group;

import dev.outpost.runtime.peer.Algorithm;

/**
 * Predicts the time of a step on many members from measurements on few. A sum of n bytes over p members moves 2 (p - 1) / p n
 * bytes over each link, and waits for one message in each step of its algorithm.
 */
record GroupSimulator(LinkCosts link) {
    /** Returns the seconds of the exchanges of a step, without overlap. */
    double exchangeSeconds(StepCosts step, int members) {
        if (members == 1 || step.exchanges() == 0) {
            return 0;
        }
        long bytesOfOne = Math.max(1, step.reducedBytes() / step.exchanges());
        int waits = Algorithm.of(bytesOfOne, members).steps(members);
        double moved = 2.0 * (members - 1) / members * step.reducedBytes();
        return step.exchanges() * waits * link.latencySeconds() + moved / link.bytesPerSecond();
    }

    double stepSeconds(StepCosts step, int members) {
        double exchanging = exchangeSeconds(step, members);
        double hidden = Math.min(step.overlap() * exchanging, step.computeSeconds());
        return step.computeSeconds() + exchanging - hidden;
    }

    /** Returns the speed with a fixed work for each member, as a fraction of the speed of one member times the count. */
    double weakEfficiency(StepCosts step, int members) {
        return stepSeconds(step, 1) / stepSeconds(step, members);
    }
}
