package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.cluster.Descriptions;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.fleet.FleetException;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Finds jobs whose runners do not reach the backend, reads the runners' logs from the suppliers of their machines,
 * and writes the newest message into the job's text.
 */
public final class SilentRunners {
    private static final Logger LOG = Logger.getLogger(SilentRunners.class);
    private static final int MAX_JOBS = 50;
    private static final int LONGEST_LINE = 500;

    private final Database database;
    private final RowWork rows;
    private final Suppliers suppliers;
    private final Jobs jobs;

    public SilentRunners(Database database, Suppliers suppliers, Jobs jobs) {
        this.database = database;
        this.rows = new RowWork(database, "runners");
        this.suppliers = suppliers;
        this.jobs = jobs;
    }

    /** A job with a silent runner, with the runner's machine and cluster. */
    private record Silent(Job job, Machine machine, ClusterRows.Stored cluster) {}

    /** Reads the logs of all silent runners once. Several replicas may do so at a time. */
    public void round() {
        List<Silent> silent =
                database.transact(sql -> JobRows.unheard(sql, JobStateMachine.UNHEARD_LOOKS, MAX_JOBS).stream()
                        .flatMap(job -> job.machine().flatMap(id -> MachineRows.find(sql, id)).stream()
                                .flatMap(machine ->
                                        machine.cluster().flatMap(name -> ClusterRows.find(sql, name)).stream()
                                                .map(cluster -> new Silent(job, machine, cluster))))
                        .toList());
        rows.each(silent, one -> one.job().id().toString(), this::show);
    }

    private void show(Silent silent) {
        newestLine(silent)
                .ifPresent(line -> database.run(sql -> JobRows.lock(
                                sql, silent.job().id())
                        .ifPresent(row -> jobs.apply(
                                sql,
                                row,
                                new JobObservation.RunnerSaid(silent.machine().id(), line)))));
    }

    private Optional<String> newestLine(Silent silent) {
        try {
            List<String> lines = suppliers.fleet(silent.cluster()).runnerLog(Descriptions.ref(silent.machine()));
            return lines.stream().reduce((older, newer) -> newer).map(SilentRunners::cleaned);
        } catch (FleetException failure) {
            LOG.debugf("job %s: %s", silent.job().id(), failure.getMessage());
            return Optional.empty();
        }
    }

    private static String cleaned(String line) {
        String clean = line.replaceAll("\\p{Cntrl}", " ");
        return clean.substring(0, Math.min(LONGEST_LINE, clean.length()));
    }
}
