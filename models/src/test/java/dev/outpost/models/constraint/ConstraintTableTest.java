package dev.outpost.models.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The memory of constraints on a machine is bounded by those that texts use. */
class ConstraintTableTest {
    private static final int VOCABULARY = 50;

    private static TokenConstraint constraint() {
        return TokenConstraint.endingAfter(1, VOCABULARY, Set.of(0), Set.of());
    }

    @Test
    void rowsOfConstraintsThatNoTextUsesAreTakenAgain() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ConstraintTable table = new ConstraintTable(machine, VOCABULARY)) {
            Set<TokenConstraint> used = new HashSet<>();
            TokenConstraint first = constraint();
            used.add(first);
            long row = table.begin(first, 0, used).row();
            for (int text = 0; text < 300; text++) {
                assertTrue(table.begin(constraint(), 0, used).row() < ConstraintTable.ROOMY_ROWS);
            }
            assertEquals(row, table.begin(first, 0, used).row());
        }
    }

    @Test
    void constraintsOfTextsThatGoOnKeepTheirRows() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ConstraintTable table = new ConstraintTable(machine, VOCABULARY)) {
            Set<TokenConstraint> used = new HashSet<>();
            Set<Long> rows = new HashSet<>();
            for (int text = 0; text < 100; text++) {
                TokenConstraint constraint = constraint();
                used.add(constraint);
                rows.add(table.begin(constraint, 0, used).row());
            }
            assertEquals(100, rows.size());
        }
    }
}
