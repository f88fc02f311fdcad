package dev.outpost.backend.simulation;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What came of a simulation.
 *
 * @param waits of all machines that became ready, from the request on
 * @param requests how many there were, those asked again after a failure included
 * @param refused by budgets
 * @param cut off by budgets while they were used
 * @param failed machines, after each of which the same was asked for again
 * @param samples of all kinds, by time
 * @param costs by kind, of what was asked for
 * @param warmCosts by kind, of machines that waited in pools
 * @param machineHours in which machines were ready
 * @param statements that the backend sent to its database
 * @param orphans machines that clusters still had when everything was over
 * @param longestOrphan the longest time that a machine outlived its row
 * @param overshoots budgets of which more was spent than their cap
 * @param virtualTime that the simulation took by its own clock
 * @param realTime that it took
 */
record SimulationOutcome(
        List<Wait> waits,
        int requests,
        int refused,
        int cut,
        int failed,
        List<Sample> samples,
        Map<String, BigDecimal> costs,
        Map<String, BigDecimal> warmCosts,
        double machineHours,
        long statements,
        int orphans,
        Duration longestOrphan,
        int overshoots,
        Duration virtualTime,
        Duration realTime) {

    /** The time from a request until its machine was ready. */
    record Wait(String account, String gpu, Duration time) {}

    /** The machines of a kind at a time: the number in use, the number waiting in pools, and the number there is room for. */
    record Sample(Duration at, String gpu, int used, int warm, int room) {}

    /** The part of the room of a kind that was used on average while requests came. */
    double utilisation(String gpu, Duration until) {
        return samples.stream()
                .filter(sample -> sample.gpu().equals(gpu) && sample.at().compareTo(until) <= 0)
                .mapToDouble(sample -> (double) sample.used() / sample.room())
                .average()
                .orElse(0);
    }

    List<Duration> waitsOf(String gpu) {
        return waits.stream()
                .filter(wait -> wait.gpu().equals(gpu))
                .map(Wait::time)
                .sorted()
                .toList();
    }

    Duration waited(String gpu) {
        return waitsOf(gpu).stream().reduce(Duration.ZERO, Duration::plus);
    }

    BigDecimal cost() {
        return total(costs).add(total(warmCosts));
    }

    private static BigDecimal total(Map<String, BigDecimal> costs) {
        return costs.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
