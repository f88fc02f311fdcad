package dev.outpost.backend.simulation;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is simulated.
 *
 * @param arrivals by time
 * @param time within which they come; the simulation goes on until all of them are served
 * @param step how far the clock moves at a time
 * @param room how many machines of each kind the clusters have
 * @param pools the machines that wait
 * @param prices of a GPU for an hour
 * @param halfLife of the fair share
 * @param quota how many GPUs a project may have at once
 * @param budget what each tenth organisation may spend in a day
 */
record Scenario(
        List<Arrival> arrivals,
        Duration time,
        Duration step,
        long seed,
        InjectedFaults faults,
        Map<String, Integer> room,
        List<PoolSize> pools,
        Map<String, BigDecimal> prices,
        Duration halfLife,
        OptionalInt quota,
        Optional<BigDecimal> budget) {

    Scenario withPools(List<PoolSize> other) {
        return new Scenario(arrivals, time, step, seed, faults, room, other, prices, halfLife, quota, budget);
    }
}
