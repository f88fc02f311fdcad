package dev.outpost.client.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.CpuTime;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class HandlesTest {
    private static final int MANY = 200_000;
    private static final int FAULTS = 5_000;

    private final Handles handles = new Handles(null);
    private final List<ValueHandle> open = new ArrayList<>();

    private ValueHandle open(long id) {
        ValueHandle handle = handles.open(this, value(id));
        open.add(handle);
        return handle;
    }

    private static RemoteValue value(long id) {
        return new RemoteValue(null, id, new TensorType(DType.FLOAT32, Shape.SCALAR));
    }

    private void close(ValueHandle handle) {
        handles.exchange(handle, null);
        handles.remove(handle);
    }

    private List<ValueHandle> holding(long... ids) {
        return handles.holding(ids);
    }

    @Test
    void handlesAreFoundByWhatTheyHold() {
        ValueHandle one = open(1);
        ValueHandle two = open(2);
        ValueHandle twoAgain = open(2);
        assertEquals(List.of(), holding());
        assertEquals(List.of(), holding(3));
        assertEquals(List.of(two, twoAgain, one), holding(2, 1));
    }

    @Test
    void changesBetweenFaultsAreSeen() {
        ValueHandle one = open(1);
        ValueHandle two = open(2);
        assertEquals(List.of(one), holding(1));
        ValueHandle three = open(3);
        close(one);
        handles.exchange(two, value(4));
        assertEquals(List.of(three, two), holding(1, 2, 3, 4));
    }

    @Test
    void changesLongAfterAFaultAreSeen() {
        ValueHandle one = open(1);
        assertEquals(List.of(one), holding(1));
        for (int id = 2; id < 10_000; id++) {
            close(open(id));
        }
        ValueHandle last = open(10_000);
        assertEquals(List.of(last, one), holding(10_000, 1));
    }

    /** Each failed read names the values that the fault took. */
    @Test
    void faultsCostWhatTheyTell() throws Exception {
        for (int id = 1; id <= MANY; id++) {
            open(id);
        }
        Duration spent = CpuTime.of(() -> {
            for (int fault = 1; fault <= FAULTS; fault++) {
                assertEquals(open.get(fault - 1), holding(fault).getFirst());
            }
        });
        assertTrue(spent.compareTo(Duration.ofSeconds(4)) < 0, spent::toString);
    }
}
