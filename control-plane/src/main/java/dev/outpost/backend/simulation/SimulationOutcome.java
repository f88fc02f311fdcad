package dev.outpost.backend.simulation;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of a simulation.
 *
 * @param waits the waits for all machines that became ready
 * @param requests the number of requests, including repeated ones after a failure
 * @param refused the number of requests that budgets refused
 * @param cut the number of machines that budgets ended during their use
 * @param failed the number of failed machines; each was requested again
 * @param samples the samples of all kinds, in the order of time
 * @param costs the costs of requested machines, by kind
 * @param warmCosts the costs of machines that waited in pools, by kind
 * @param machineHours the hours in which machines were ready
 * @param statements the number of statements that the backend sent to its database
 * @param orphans the number of machines that clusters still had at the end
 * @param longestOrphan the longest time that a machine outlived its row
 * @param overshoots the number of budgets whose spending exceeded their cap
 * @param virtualTime the duration of the simulation by its own clock
 * @param realTime the real duration
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

    /** Returns the average used fraction of the room for a kind of GPU, while requests arrived. */
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
