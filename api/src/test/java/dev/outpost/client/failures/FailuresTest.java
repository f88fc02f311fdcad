package dev.outpost.client.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.UpdateFailed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class FailuresTest {
    private static final long UPDATE = 3;

    private final Failures failures = new Failures();

    private static Fault fault(long number) {
        return Fault.newBuilder()
                .setOp("op")
                .setMessage("op: failed " + number)
                .setNumber(number)
                .build();
    }

    private static UpdateFailed failed(long update, long times, Fault fault) {
        return UpdateFailed.newBuilder()
                .setUpdate(update)
                .setTimes(times)
                .setFault(fault)
                .build();
    }

    @Test
    void failureIsReportedOnce() {
        failures.failed(fault(1));
        failures.failed(fault(2));
        failures.failed(fault(1));
        assertEquals(List.of(fault(1), fault(2)), failures.reportAll());
        assertEquals(List.of(), failures.reportAll());
        failures.failed(fault(2));
        assertEquals(List.of(), failures.reportAll());
    }

    @Test
    void aReadTellsAlsoWhatComesLater() {
        failures.report(fault(1));
        failures.failed(fault(1));
        failures.failed(failed(UPDATE, 1, fault(1)));
        assertEquals(List.of(), failures.reportReasons(UPDATE));
        assertEquals(1, failures.takeLeftOut(UPDATE));
        assertEquals(List.of(), failures.reportAll());
    }

    @Test
    void anUpdateTellsWhyAndHowOften() {
        failures.failed(fault(1));
        failures.failed(failed(UPDATE, 2, fault(1)));
        failures.failed(failed(UPDATE, 1, fault(2)));
        failures.failed(failed(UPDATE + 1, 1, fault(4)));
        assertEquals(3, failures.takeLeftOut(UPDATE));
        assertEquals(0, failures.takeLeftOut(UPDATE));
        assertEquals(List.of(fault(1), fault(2)), failures.reportReasons(UPDATE));
        assertEquals(List.of(), failures.reportReasons(UPDATE));
        assertEquals(List.of(fault(4)), failures.reportAll());
        assertEquals(1, failures.takeLeftOut(UPDATE + 1));
    }

    @Test
    void failureToldBySynchronizeIsNotToldAgain() {
        failures.failed(failed(UPDATE, 1, fault(1)));
        assertEquals(List.of(fault(1)), failures.reportAll());
        assertEquals(List.of(), failures.reportReasons(UPDATE));
        assertEquals(1, failures.takeLeftOut(UPDATE));
    }

    @Test
    void rememberedFailuresAreBounded() {
        for (long number = 1; number <= 5000; number++) {
            failures.failed(fault(number));
        }
        assertEquals(1024, failures.reportAll().size());
    }
}
