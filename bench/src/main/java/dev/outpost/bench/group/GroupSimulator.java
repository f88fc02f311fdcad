package dev.outpost.bench.group;

import dev.outpost.runtime.peer.Algorithm;

/**
 * Predicts how long a step takes on many members, from what was measured on few. A sum of n bytes over p members moves
 * 2 (p - 1) / p n bytes over each link, and waits for as many messages as its algorithm has steps.
 */
record GroupSimulator(LinkCosts link) {
    /** Seconds that the exchanges of a step take by themselves. */
    double exchangeSeconds(StepCosts step, int members) {
        if (members == 1 || step.exchanges() == 0) {
            return 0;
        }
        long bytesOfOne = Math.max(1, step.reducedBytes() / step.exchanges());
        int waits = Algorithm.of(bytesOfOne, members).steps(members);
        double moved = 2.0 * (members - 1) / members * step.reducedBytes();
        return step.exchanges() * waits * link.latencySeconds() + moved / link.bytesPerSecond();
    }

    /** Seconds that a step takes. */
    double stepSeconds(StepCosts step, int members) {
        double exchanging = exchangeSeconds(step, members);
        double hidden = Math.min(step.overlap() * exchanging, step.computeSeconds());
        return step.computeSeconds() + exchanging - hidden;
    }

    /** The part of a step in which members only wait for each other. */
    double communicationShare(StepCosts step, int members) {
        double total = stepSeconds(step, members);
        return (total - step.computeSeconds()) / total;
    }

    /** Of a fixed work a member: what is left of the speed of one member times the count. */
    double weakEfficiency(StepCosts step, int members) {
        return stepSeconds(step, 1) / stepSeconds(step, members);
    }
}
