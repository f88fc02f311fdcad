package dev.outpost.backend.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.TestDatabase;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationTest {
    private static final Duration TIME = Duration.ofHours(2);

    private static Scenario scenario(List<Arrival> arrivals, InjectedFaults faults, int room) {
        return scenario(arrivals, TIME, faults, room);
    }

    private static Scenario scenario(List<Arrival> arrivals, Duration time, InjectedFaults faults, int room) {
        return new Scenario(
                arrivals,
                time,
                Duration.ofSeconds(20),
                7,
                faults,
                Map.of("A100", room, "H100", room, "L4", room, "T4", room),
                List.of(),
                Map.of("A100", BigDecimal.valueOf(4)),
                Duration.ofHours(24),
                OptionalInt.empty(),
                Optional.empty());
    }

    private static List<Arrival> drawn(int machines) {
        return new DayOfRequests(machines, 8, TIME).draw(new Random(1));
    }

    private static SimulationOutcome run(Scenario scenario) {
        try (TestDatabase test = TestDatabase.withRealClock()) {
            return new Simulation(scenario, test.source())
                    .run(new SimulationProgress(System.err, Duration.ofSeconds(10), System::nanoTime));
        }
    }

    private static Arrival hourOfA100(Duration at) {
        return new Arrival(at, "acme", "vision", "A100", Duration.ofHours(1));
    }

    @Test
    void faultsLeaveNoOrphanAndNobodyUnserved() {
        SimulationOutcome outcome = run(scenario(drawn(40), InjectedFaults.MANY, 20));
        assertEquals(0, outcome.orphans());
        assertEquals(0, outcome.overshoots());
        assertTrue(outcome.failed() > 0, "no machine failed");
        assertEquals(40, outcome.requests() - outcome.failed(), "each failure is asked for again");
        assertTrue(outcome.waits().size() >= 40, outcome.waits().size() + " became ready");
        assertTrue(outcome.statements() > 0);
    }

    @Test
    void secondRequestWaitsForTheOnlyMachine() {
        List<Arrival> both = List.of(hourOfA100(Duration.ZERO), hourOfA100(Duration.ofMinutes(1)));
        SimulationOutcome outcome = run(scenario(both, InjectedFaults.NONE, 1));
        List<Duration> waits = outcome.waitsOf("A100");
        assertTrue(waits.getFirst().compareTo(Duration.ofMinutes(5)) < 0, () -> "first waited " + waits);
        assertTrue(waits.getLast().compareTo(Duration.ofMinutes(59)) > 0, () -> "second waited " + waits);
        BigDecimal cost = outcome.costs().get("A100");
        assertTrue(
                cost.subtract(BigDecimal.valueOf(8)).abs().compareTo(new BigDecimal("0.1")) < 0, () -> "2 h: " + cost);
    }

    @Test
    void warmMachineCostsAndSavesWaiting() {
        List<Arrival> one = List.of(hourOfA100(Duration.ofMinutes(30)));
        Scenario without = scenario(one, InjectedFaults.NONE, 4);
        Scenario with = without.withPools(List.of(new PoolSize("A100", 1, 1)));
        SimulationOutcome cold = run(without);
        SimulationOutcome warm = run(with);
        assertTrue(
                warm.waited("A100").compareTo(cold.waited("A100")) < 0,
                () -> warm.waited("A100") + " warm, " + cold.waited("A100") + " cold");
        assertTrue(warm.warmCosts().get("A100").signum() > 0);
        String sentence = new SimulationReport(with, warm).comparison(cold);
        assertTrue(sentence.startsWith("1 warm A100 would have cost "), sentence);
    }

    @Test
    void spendingStaysBelowTheCapOfABudget() {
        List<Arrival> many = List.of(
                hourOfA100(Duration.ZERO), hourOfA100(Duration.ofMinutes(1)), hourOfA100(Duration.ofMinutes(90)));
        Scenario base = scenario(many, InjectedFaults.NONE, 4);
        Scenario capped = new Scenario(
                many,
                TIME,
                base.step(),
                base.seed(),
                base.faults(),
                base.room(),
                List.of(),
                base.prices(),
                base.halfLife(),
                OptionalInt.empty(),
                Optional.of(BigDecimal.valueOf(6)));
        SimulationOutcome outcome = run(capped);
        assertEquals(0, outcome.overshoots());
        assertEquals(2, outcome.refused(), "of 6, a second hour at 4 does not fit, nor does a third");
        assertTrue(outcome.cost().compareTo(BigDecimal.valueOf(6)) <= 0, () -> "cost " + outcome.cost());
    }

    @Test
    void writtenRequestsAreReplayedAlike(@TempDir Path folder) throws Exception {
        List<Arrival> drawn = drawn(50);
        Path file = folder.resolve("arrivals.csv");
        ArrivalFile.write(file, drawn);
        assertEquals(drawn, ArrivalFile.read(file));
        Files.writeString(file, "seconds,organisation,project,gpu,use_seconds\n1,acme,vision,A100,soon\n");
        String refusal = org.junit.jupiter.api.Assertions.assertThrows(
                        IllegalArgumentException.class, () -> ArrivalFile.read(file))
                .getMessage();
        assertTrue(refusal.endsWith("line 2: expected seconds of 0 or more, got \"soon\""), refusal);
    }

    @Test
    void reportHasTableAndCharts(@TempDir Path folder) throws Exception {
        Duration time = Duration.ofMinutes(20);
        List<Arrival> few = new DayOfRequests(5, 8, time).draw(new Random(1));
        Scenario scenario = scenario(few, time, InjectedFaults.NONE, 10);
        new SimulationReport(scenario, run(scenario)).write(folder);
        for (String chart : List.of("waits.svg", "utilisation.svg", "cost.svg")) {
            String svg = Files.readString(folder.resolve(chart));
            assertTrue(svg.startsWith("<svg ") && svg.contains("<path "), chart);
        }
        assertTrue(Files.readString(folder.resolve("table.txt")).contains("orphans                0 at the end"));
    }
}
