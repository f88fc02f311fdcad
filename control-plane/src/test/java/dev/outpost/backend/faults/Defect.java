package dev.outpost.backend.faults;

import dev.outpost.backend.faults.Invariants.Rule;
import dev.outpost.backend.store.sql.Database;
import java.util.Optional;

/**
 * A defect that is put into the backend on purpose, so that a test can check that the search finds broken rules. Each defect is a trigger
 * of the database that changes a write as a defective program would.
 */
enum Defect {
    NONE(Optional.empty(), "", "", ""),

    /** A machine of a pool can be claimed again after it was claimed. */
    CLAIMED_TWICE(Optional.of(Rule.NO_DUPLICATE), "machines", "NEW.end_reason = 'CLAIMED'", "NEW := OLD"),

    /** A machine that is not ready is not asked to end. */
    END_NOT_DUE(
            Optional.of(Rule.NO_ORPHAN),
            "machines",
            "NEW.phase = 'ENDING' AND OLD.phase IN ('NODE', 'IMAGE', 'BOOT', 'BIND', 'LOST')",
            "NEW.due_at := NULL"),

    /** A machine that is reachable again is charged for the time in which it was not. */
    CHARGED_UNSEEN(
            Optional.of(Rule.NO_FALSE_CHARGE),
            "usages",
            "NEW.ended = 'LOST'",
            "NEW.to_at := NEW.to_at + interval '1 minute'"),

    /** Holds of a budget are not stored. */
    HOLD_FORGOTTEN(Optional.of(Rule.BUDGET_HOLDS), "budgets", "true", "NEW.thresholds := '{}'"),

    /** A failed run is repeated although no retry is left. */
    RUN_REPEATED(
            Optional.of(Rule.JOB_RUNS_ONCE),
            "jobs",
            "NEW.phase = 'FAILED' AND OLD.phase = 'RUNNING'",
            "NEW.phase := 'WAITING'; NEW.machine := NULL; NEW.runner := NULL; NEW.due_at := outpost_now()"),

    /** The request to end a job that has not begun is forgotten. */
    CANCEL_FORGOTTEN(
            Optional.of(Rule.ACCEPTED_IS_KEPT),
            "jobs",
            "NEW.phase = 'CANCELLED' AND OLD.phase IN ('WAITING', 'STARTING')",
            "NEW := OLD"),

    /** A loop always fails at a certain row. */
    ROW_REFUSED(
            Optional.of(Rule.NO_DEFECT),
            "machines",
            "NEW.phase = 'LOST' AND OLD.phase = 'READY'",
            "RAISE EXCEPTION 'planted'");

    private final Optional<Rule> broken;
    private final String table;
    private final String condition;
    private final String change;

    Defect(Optional<Rule> broken, String table, String condition, String change) {
        this.broken = broken;
        this.table = table;
        this.condition = condition;
        this.change = change;
    }

    /** The rule that the defect breaks. */
    Rule broken() {
        return broken.orElseThrow();
    }

    void plant(Database database) {
        if (broken.isPresent()) {
            database.run(sql -> {
                sql.update("CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + condition
                        + " THEN " + change + "; END IF; RETURN NEW; END $$");
                sql.update("CREATE TRIGGER planted BEFORE INSERT OR UPDATE ON " + table
                        + " FOR EACH ROW EXECUTE FUNCTION planted()");
            });
        }
    }
}
