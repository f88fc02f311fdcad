package dev.outpost.backend.simulation;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The input of a simulation.
 *
 * @param arrivals the arrivals, in the order of time
 * @param time the time within which the requests arrive; the simulation continues until all of them are served
 * @param step the time by which the clock moves in a step
 * @param room the number of machines of each kind in the clusters
 * @param pools the warm pools
 * @param prices the prices of a GPU for an hour
 * @param halfLife the half-life of the fair share
 * @param quota the maximum number of GPUs that a project may have at a time
 * @param budget the amount that each tenth organisation may spend in a day
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
