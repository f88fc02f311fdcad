package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.torch.ops.CallableOps;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgramDrawerTest {
    private final DrawTable table = DrawTable.ofAllFamilies();
    private RemoteMachine machine;
    private OutpostSide side;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
        side = new OutpostSide(machine);
    }

    @AfterEach
    void end() {
        // Statements have failed on purpose, and not all of their results were read.
        try {
            machine.close();
        } catch (OutpostException failure) {
            assertEquals(FaultKind.USER, failure.kind());
        }
    }

    /** A drawn statement and its result. */
    private record Ran(FuzzStatement statement, StatementOutcome outcome) {}

    private List<Ran> run(long seed) {
        side.reset();
        ProgramDrawer drawer = new ProgramDrawer(table, seed);
        List<Ran> program = new ArrayList<>();
        if (drawer.trains()) {
            run(drawer.training(), program);
            return program;
        }
        for (int call = 0; call < drawer.length(); call++) {
            run(drawer.next(side.known()), program);
        }
        run(drawer.backward(side.known()), program);
        return program;
    }

    private void run(List<FuzzStatement> statements, List<Ran> program) {
        for (FuzzStatement statement : statements) {
            StatementOutcome outcome = side.run(statement);
            program.add(new Ran(statement, outcome));
            if (outcome instanceof Refused) {
                side.forget(statement);
                side.forgetLost();
            }
        }
    }

    private static List<String> text(List<Ran> program) {
        return program.stream().map(ran -> PythonText.of(ran.statement())).toList();
    }

    @Test
    void theSeedSaysAll() {
        for (long seed = 0; seed < 30; seed++) {
            assertEquals(text(run(seed)), text(run(seed)));
        }
        assertNotEquals(text(run(1)), text(run(2)));
    }

    @Test
    void aStatementUsesWhatIsThere() {
        for (long seed = 0; seed < 60; seed++) {
            Set<String> defined = new HashSet<>();
            for (Ran ran : run(seed)) {
                ran.statement()
                        .uses()
                        .map(FuzzStatement::variable)
                        .forEach(name -> assertTrue(defined.contains(name), () -> name + " in " + ran));
                defined.add(ran.statement().name());
            }
        }
    }

    @Test
    void mostStatementsAreValid() {
        int statements = 0;
        int refused = 0;
        for (long seed = 0; seed < 100; seed++) {
            for (Ran ran : run(seed)) {
                assertTrue(!(ran.outcome() instanceof Broken), ran::toString);
                statements++;
                refused += ran.outcome() instanceof Refused ? 1 : 0;
            }
        }
        assertTrue(refused * 8 < statements, refused + " of " + statements + " are refused");
    }

    @Test
    void programsTrainAndPropagateAndWrite() {
        Set<String> drawn = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            run(seed).forEach(ran -> drawn.add(ran.statement().op()));
        }
        assertTrue(drawn.containsAll(Set.of("backward", "step", "forward", "nn.Linear")), drawn::toString);
        assertTrue(drawn.stream().anyMatch(op -> op.endsWith("_") && !op.endsWith("__")), drawn::toString);
    }

    @Test
    void everyDrawnOpCanBeCalled() {
        CallableOps ops = new CallableOps();
        assertEquals(
                List.of(), table.ops().stream().filter(op -> !ops.knows(op)).toList());
    }

    @Test
    void onlySomeOpsAreDrawn() {
        DrawTable some = table.only(Set.of("add", "mul_"));
        ProgramDrawer drawer = new ProgramDrawer(some, 3);
        Set<String> drawn = new HashSet<>();
        for (int call = 0; call < 20; call++) {
            drawer.next(side.known()).forEach(statement -> drawn.add(statement.op()));
        }
        assertEquals(Set.of("tensor", "add", "mul_"), drawn);
        assertThrows(IllegalArgumentException.class, () -> table.only(Set.of("no_such_op")));
    }
}
