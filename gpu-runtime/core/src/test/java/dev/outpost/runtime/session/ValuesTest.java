package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    void valuesOfAllSessionsAreBoundedToo() {
        Refusals refusals = new Refusals();
        Share share = new Share(512, 0, 2);
        Values first = new Values(share.part(Values.MOST), refusals);
        Values second = new Values(share.part(Values.MOST), refusals);
        Value lost = new Value.Poisoned(Fault.of(FaultKind.USER, "lost"), new TensorType(DType.FLOAT32, Shape.SCALAR));
        for (long id = 1; id <= 300; id++) {
            first.define(id, lost);
        }
        OutpostException refusal = assertThrows(OutpostException.class, () -> second.define(1, lost));
        assertEquals(
                "all sessions together have 512 values already: close what is not needed, or use scopes",
                refusal.getMessage());
        first.clear();
        second.define(1, lost);
    }

    @Test
    void valuesThatCostNoMemoryAreBoundedToo() {
        Refusals refusals = new Refusals();
        Values values = new Values(new Share(1 << 21, 0, 1).part(Values.MOST), refusals);
        Value lost = new Value.Poisoned(Fault.of(FaultKind.USER, "lost"), new TensorType(DType.FLOAT32, Shape.SCALAR));
        for (long id = 1; id <= Values.MOST; id++) {
            values.define(id, lost);
        }
        OutpostException refusal = assertThrows(OutpostException.class, () -> values.define(0, lost));
        assertEquals(
                "the session has 1048576 values already: close what is not needed, or use scopes",
                refusal.getMessage());
        assertEquals(1, refusals.counts().get(Limit.VALUES));
        values.remove(1);
        values.define(0, lost);
    }
}
