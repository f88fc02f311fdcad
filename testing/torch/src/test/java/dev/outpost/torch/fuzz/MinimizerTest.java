package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.Fuzzer.Finding;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The other side is Outpost itself, except for one op, for which it returns wrong results. */
class MinimizerTest {
    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
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

    /** Returns Outpost's results, but adds one to those of one op. */
    private static final class OneMore implements Side {
        private final OutpostSide side;
        private final String op;

        OneMore(RemoteMachine machine, String op) {
            this.side = new OutpostSide(machine);
            this.op = op;
        }

        @Override
        public void reset() {
            side.reset();
        }

        @Override
        public StatementOutcome run(FuzzStatement statement, Set<String> looks) {
            StatementOutcome outcome = side.run(statement);
            if (outcome instanceof Refused) {
                side.forget(statement);
                side.forgetLost();
            }
            return statement.op().equals(op) && outcome instanceof Computed computed ? oneMore(computed) : outcome;
        }

        private static StatementOutcome oneMore(Computed computed) {
            Map<String, Optional<Seen>> seen = new LinkedHashMap<>();
            computed.seen().forEach((name, value) -> seen.put(name, value.map(OneMore::oneMore)));
            return new Computed(seen);
        }

        private static Seen oneMore(Seen seen) {
            HostTensor value = seen.value();
            double[] values = new double[Math.toIntExact(value.shape().elements())];
            for (int index = 0; index < values.length; index++) {
                values[index] = value.getDouble(index) + 1;
            }
            HostTensor more = HostTensor.of(values).to(value.dtype());
            return new Seen(HostTensor.ofBytes(value.dtype(), value.shape(), more.bytes()), seen.requiresGrad());
        }

        @Override
        public void adopt(Map<String, HostTensor> values) {}

        @Override
        public void close() {
            side.close();
        }
    }

    private List<Finding> findings(String wrongOp, int programs) {
        Fuzzer fuzzer = new Fuzzer(
                () -> machine,
                new OneMore(machine, wrongOp),
                ProgramSource.ofPrograms(DrawTable.ofAllFamilies()),
                new KnownDifferences(false));
        return fuzzer.run(7, programs, finding -> {});
    }

    @Test
    void equalSidesDoNotDiffer() {
        assertEquals(List.of(), findings("", 40));
    }

    @Test
    void aWrongOpIsFoundAndMadeSmall() {
        List<Finding> findings = findings("transpose", 120);
        assertFalse(findings.isEmpty());
        for (Finding finding : findings) {
            assertEquals("transpose", finding.difference().statement().op());
            assertTrue(finding.program().size() <= 2, finding.program()::toString);
            assertEquals("transpose", finding.program().getLast().op());
            for (FuzzStatement statement : finding.program()) {
                if (statement instanceof Literal literal) {
                    assertEquals(1, literal.value().shape().elements(), literal::toString);
                }
            }
        }
    }

    @Test
    void usersOfADroppedStatementAreDropped() {
        Literal first = literal("v0");
        Literal second = literal("v1");
        Invocation parts = Draft.of(new Known("v0", DType.FLOAT32, Shape.of(2), false, true, "v0", false), 1)
                .parts()
                .call("v2", "split", false);
        Invocation use = Draft.of(new Known("v2[1]", DType.FLOAT32, Shape.of(1), false, true, "v2[1]", false))
                .call("v3", "abs", false);
        List<FuzzStatement> program = List.of(first, second, parts, use);
        assertEquals(List.of(second), Minimizer.without(program, 0, 1));
        assertEquals(List.of(first, second), Minimizer.without(program, 2, 3));
    }

    private static Literal literal(String name) {
        return new Literal(name, HostTensor.of(new float[] {1, 2}, 2), false);
    }

    @Test
    void elementsBecomeZeroUnlessTheDifferenceGoes() {
        Literal kept = new Literal("v0", HostTensor.of(new float[] {5, 7, 9}, 3), false);
        Literal plain = new Literal("v1", HostTensor.of(new float[] {5, 7, 9}, 3), true);
        Minimizer minimizer = new Minimizer(candidate -> {
            List<Literal> literals = new ArrayList<>();
            candidate.forEach(statement -> literals.add((Literal) statement));
            return literals.size() == 2 && literals.getFirst().value().getDouble(0) == 5;
        });
        assertEquals(
                List.of(
                        new Literal("v0", HostTensor.of(new float[] {5}, 1), false),
                        new Literal("v1", HostTensor.of(new float[] {0}, 1), false)),
                minimizer.minimize(List.of(kept, plain)));
    }
}
