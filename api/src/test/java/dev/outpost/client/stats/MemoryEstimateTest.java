package dev.outpost.client.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.message.ToClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The estimate: the bytes of a report plus those of later segments, including open ones. */
@Tag("quick")
class MemoryEstimateTest {
    private final MemoryEstimate estimate = new MemoryEstimate();

    @Test
    void allThatWasNamedCountsBeforeAReport() {
        estimate.sealed(1, 100);
        assertEquals(150, estimate.bytes(150));
        assertEquals(50, estimate.openBytes(150));
        assertEquals(0, estimate.reportedBytes());
    }

    @Test
    void aReportStandsForWhatItTellsOf() {
        estimate.sealed(1, 100);
        estimate.sealed(2, 40);
        estimate.reported(report(1, 8, 0));
        assertEquals(8 + 40 + 3, estimate.bytes(143));
        estimate.reported(report(2, 9, 0));
        assertEquals(9 + 3, estimate.bytes(143));
        assertEquals(9, estimate.reportedBytes());
    }

    @Test
    void aValueCostsSomethingHoweverSmallItIs() {
        estimate.sealed(1, 100);
        estimate.reported(report(1, 8, 2));
        assertEquals(8 + 2 * MemoryEstimate.OVERHEAD_BYTES, estimate.bytes(100));
    }

    @Test
    void laterRequestsAreInTheNextReport() {
        estimate.sealed(1, 100);
        estimate.reported(report(1, 8, 0));
        estimate.reported(report(1, 88, 0));
        assertEquals(88, estimate.bytes(100));
    }

    /** Values that another thread has named and not sealed belong to no segment that a report covers. */
    @Test
    void openSegmentsOfOtherThreadsAreNotReported() {
        long named = 100 + 7;
        estimate.sealed(1, 100);
        estimate.reported(report(1, 0, 0));
        assertEquals(7, estimate.bytes(named));
        assertEquals(7, estimate.openBytes(named));
    }

    @Test
    void thousandsMayBeUnderWay() {
        for (int number = 1; number <= 5_000; number++) {
            estimate.sealed(number, number);
        }
        long named = 5_000L * 5_001 / 2;
        for (int number = 0; number <= 5_000; number += 1_250) {
            estimate.reported(report(number, 3, 0));
            assertEquals(3 + named - number * (number + 1L) / 2, estimate.bytes(named));
        }
        for (int number = 5_001; number <= 10_000; number++) {
            estimate.sealed(number, 1);
            estimate.reported(report(number - 1, 3, 0));
            assertEquals(3 + 1, estimate.bytes(named + number - 5_000));
        }
    }

    /** If a machine reports more bytes than exist, only the existing ones count. */
    @Test
    void moreThanWasSealedIsNotReported() {
        estimate.sealed(1, 100);
        estimate.reported(report(70, 8, 0));
        assertEquals(8, estimate.bytes(100));
    }

    private static ToClient.Progress report(long segments, long bytes, long values) {
        return new ToClient.Progress(segments, bytes, values, 0, 0, 0);
    }
}
