package dev.outpost.backend.simulation;

import io.agroal.api.AgroalDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The command {@code ./outpost simulate}. */
public final class Simulator {
    /**
     * A field keeps the logger, because a garbage-collected logger loses its level. Outages of simulated clusters are
     * not logged.
     */
    private static final Logger LOG = Logger.getLogger("dev.outpost.backend.fleet");

    private static final Duration TELL_EVERY = Duration.ofSeconds(10);

    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;

    private Simulator() {}

    /** Runs the command, and returns the exit status of the process. */
    public static int run(String... arguments) {
        if (List.of(arguments).contains("--help") || List.of(arguments).contains("-h")) {
            System.out.print(SimulationArguments.HELP);
            return 0;
        }
        LOG.setLevel(Level.SEVERE);
        try {
            SimulationArguments read = SimulationArguments.parse(arguments);
            simulate(read.scenario(), read.out());
            return 0;
        } catch (IllegalArgumentException failure) {
            System.err.println("outpost simulate: " + failure.getMessage());
            return BAD_USAGE;
        } catch (IOException failure) {
            System.err.println("outpost simulate: " + failure.getMessage());
            return FAILED;
        }
    }

    private static void simulate(Scenario scenario, Optional<Path> folder) throws IOException {
        try (SimulationDatabase database = SimulationDatabase.start()) {
            SimulationOutcome outcome = run(database, scenario);
            SimulationReport report = new SimulationReport(scenario, outcome);
            System.out.print(report.table());
            if (!scenario.pools().isEmpty()) {
                System.out.print(report.comparison(run(database, scenario.withPools(List.of()))));
            }
            if (folder.isPresent()) {
                report.write(folder.get());
            }
        }
    }

    private static SimulationOutcome run(SimulationDatabase database, Scenario scenario) {
        try (AgroalDataSource source = database.create()) {
            return new Simulation(scenario, source)
                    .run(new SimulationProgress(System.err, TELL_EVERY, System::nanoTime));
        }
    }
}
