package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.run.SessionValues;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.support.tests.CpuTime;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionValuesTest {
    private static final TensorType FLOAT = new TensorType(DType.FLOAT32, Shape.SCALAR);

    @Test
    void valuesOfAllSessionsAreBoundedToo() {
        LimitCounters limitCounters = new LimitCounters();
        SharedQuota quota = new SharedQuota(512, 0, 2);
        SessionValues first = new SessionValues(quota.part(SessionValues.MAX), limitCounters);
        SessionValues second = new SessionValues(quota.part(SessionValues.MAX), limitCounters);
        Value lost = new Value.Poisoned(FaultMessages.of(FaultKind.USER, "lost"), FLOAT);
        for (long id = 1; id <= 300; id++) {
            first.define(id, lost);
        }
        OutpostException refusal = assertThrows(OutpostException.class, () -> second.define(1, lost));
        assertEquals(
                "all sessions together have 512 values already: close unneeded tensors, or use scopes",
                refusal.getMessage());
        first.clear();
        second.define(1, lost);
    }

    @Test
    void valuesThatCostNoMemoryAreBoundedToo() {
        LimitCounters limitCounters = new LimitCounters();
        SessionValues values = new SessionValues(new SharedQuota(1 << 21, 0, 1).part(SessionValues.MAX), limitCounters);
        Value lost = new Value.Poisoned(FaultMessages.of(FaultKind.USER, "lost"), FLOAT);
        for (long id = 1; id <= SessionValues.MAX; id++) {
            values.define(id, lost);
        }
        OutpostException refusal = assertThrows(OutpostException.class, () -> values.define(0, lost));
        assertEquals(
                "the session has 1048576 values already: close unneeded tensors, or use scopes", refusal.getMessage());
        assertEquals(1, limitCounters.counts().get(RuntimeLimit.VALUES));
        values.remove(1);
        values.define(0, lost);
    }

    @Test
    void valuesLostToAFaultAreNamedById() {
        SessionValues values =
                new SessionValues(new SharedQuota(1 << 21, 0, 1).part(SessionValues.MAX), new LimitCounters());
        Fault fault = FaultMessages.of(FaultKind.USER, "lost");
        Fault other = FaultMessages.of(FaultKind.USER, "lost");
        for (long id : new long[] {7, 3, 9, 5}) {
            values.define(id, new Value.Poisoned(fault, FLOAT));
        }
        values.define(4, new Value.Poisoned(other, FLOAT));
        assertArrayEquals(new long[] {3, 5, 7}, values.lostTo(fault, 3));
        values.remove(3);
        values.replace(5, new Value.Poisoned(other, FLOAT));
        assertArrayEquals(new long[] {7, 9}, values.lostTo(fault, 3));
        assertArrayEquals(new long[] {4, 5}, values.lostTo(other, 3));
        values.clear();
        assertArrayEquals(new long[0], values.lostTo(other, 3));
    }

    /** Each failed fetch names some of the values that were lost with its value; there may be a million of them. */
    @Test
    void namingAFewOfManyDoesNotGoThroughAll() throws Exception {
        SessionValues values =
                new SessionValues(new SharedQuota(1 << 21, 0, 1).part(SessionValues.MAX), new LimitCounters());
        Value lost = new Value.Poisoned(FaultMessages.of(FaultKind.USER, "lost"), FLOAT);
        for (long id = 1; id <= 1 << 18; id++) {
            values.define(id, lost);
        }
        Duration spent = CpuTime.of(() -> {
            for (int fetch = 0; fetch < 10_000; fetch++) {
                assertEquals(64, values.lostTo(((Value.Poisoned) lost).fault(), 64).length);
            }
        });
        assertTrue(spent.compareTo(Duration.ofSeconds(30)) < 0, spent::toString);
    }
}
