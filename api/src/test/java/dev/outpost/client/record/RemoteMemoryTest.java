package dev.outpost.client.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The times at which the collector runs, and the rise of the mark that triggers it. */
@Tag("quick")
class RemoteMemoryTest {
    private static final long MIB = 1 << 20;
    private static final long QUOTA = 4096 * MIB;
    private static final TensorType LARGE = new TensorType(DType.FLOAT32, Shape.of(16 << 20));

    private final Deque<RemoteValue> garbage = new ArrayDeque<>();
    private final InFlightLimiter limiter = new InFlightLimiter(
            SessionSettings.DEFAULT, new ReadLimit(SessionSettings.DEFAULT.readLimit(), System::nanoTime));
    private long nanos;
    private MemoryAccount account;
    private RemoteMemory memory = memory(SessionSettings.DEFAULT);
    private long ids;
    private int looks;
    private int seals;
    private final Deque<RemoteValue> unheld = new ArrayDeque<>();

    private RemoteMemory memory(SessionSettings settings) {
        Collector collector = new Collector(() -> nanos += 20_000_000, () -> nanos);
        account = new MemoryAccount();
        return new RemoteMemory("machine", settings, account, collector, this::collect, this::seal, () -> {});
    }

    private void collect() {
        looks++;
        while (!garbage.isEmpty()) {
            account.forgotten(garbage.remove());
        }
        report();
    }

    /** Frees the garbage of open segments. */
    private void seal() {
        seals++;
        while (!unheld.isEmpty()) {
            RemoteValue value = unheld.remove();
            account.settled(value);
            account.forgotten(value);
        }
        report();
    }

    /** A segment with one result of 64 MiB. */
    private RemoteValue segment() {
        long bytes = MemoryAccount.bytes(LARGE);
        account.named(1, bytes);
        memory.sealed(limiter.sealedOne(), bytes);
        return new RemoteValue(null, ++ids, LARGE);
    }

    /** Reports that the machine has executed everything, and holds the same values as the program. */
    private void report() {
        long held = account.heldValues();
        ToClient.Progress progress = new ToClient.Progress(limiter.sealed(), held * LARGE.bytes(), held, 0, 0, 0);
        memory.reported(progress);
        limiter.progress(progress);
    }

    private void hold(int values) {
        for (int value = 0; value < values; value++) {
            segment();
        }
        report();
    }

    private void drop(int values) {
        for (int value = 0; value < values; value++) {
            garbage.add(segment());
        }
        report();
    }

    private void relieve() {
        assertTrue(memory.isAboveMark(QUOTA));
        memory.relieve(QUOTA, limiter, () -> false);
    }

    @Test
    void noCollectionBelowTheMark() {
        hold(3);
        assertFalse(memory.isAboveMark(QUOTA));
    }

    @Test
    void valuesFreedInTheirSegmentDoNotCount() {
        hold(3);
        for (int step = 0; step < 100; step++) {
            account.named(1, MemoryAccount.bytes(LARGE));
            account.unnamed(MemoryAccount.bytes(LARGE));
        }
        assertFalse(memory.isAboveMark(QUOTA));
        assertEquals(3, account.heldValues());
    }

    /** Only the collector takes time by this clock. */
    @Test
    void markRisesWhenCollectionIsSlow() {
        drop(5);
        relieve();
        assertEquals(1, looks);
        assertEquals(0, account.heldValues());
        drop(7);
        assertFalse(memory.isAboveMark(QUOTA), "512 MiB by now");
        drop(2);
        relieve();
        drop(15);
        assertFalse(memory.isAboveMark(QUOTA), "1 GiB by now");
        drop(2);
        relieve();
        drop(17);
        assertTrue(memory.isAboveMark(QUOTA), "not above a quarter of the quota");
    }

    @Test
    void markStaysWhenCollectionIsRare() {
        for (int step = 0; step < 3; step++) {
            nanos += 1_000_000_000;
            drop(5);
            relieve();
        }
        assertEquals(3, looks);
    }

    @Test
    void aMarkThatTheProgramHasSetStays() {
        memory = memory(SessionSettings.DEFAULT.withHighWaterBytes(200 * MIB));
        for (int step = 0; step < 3; step++) {
            drop(4);
            relieve();
        }
        assertEquals(3, looks);
    }

    @Test
    void liveValuesRaiseTheMark() {
        memory = memory(SessionSettings.DEFAULT.withHighWaterBytes(200 * MIB));
        hold(4);
        relieve();
        int before = looks;
        hold(1);
        assertFalse(memory.isAboveMark(QUOTA), "half as much again as is alive");
        hold(2);
        relieve();
        assertTrue(looks > before);
    }

    @Test
    void moreThanTheQuotaIsRefusedWithTheRemedy() {
        hold(65);
        OutpostException refusal =
                assertThrows(OutpostException.class, () -> memory.relieve(QUOTA, limiter, () -> false));
        assertEquals(FaultKind.RESOURCES, refusal.kind());
        assertTrue(refusal.getMessage().contains("use scopes"), refusal.getMessage());
    }

    /** Tiny values take almost no memory, but a session may have at most a million values. */
    @Test
    void manyDeadHandlesAreLookedForHoweverSmall() {
        RemoteValue tiny = new RemoteValue(null, ++ids, new TensorType(DType.FLOAT32, Shape.of()));
        memory = memory(SessionSettings.DEFAULT.withHighWaterBytes(QUOTA));
        account.named(Message.MAX_VALUES / 8 * 7, MemoryAccount.bytes(tiny.type()));
        assertFalse(memory.isAboveMark(QUOTA));
        account.named(1, MemoryAccount.bytes(tiny.type()));
        for (int value = 0; value < Message.MAX_VALUES / 2; value++) {
            garbage.add(tiny);
        }
        relieve();
        assertEquals(1, looks);
        assertFalse(memory.isAboveMark(QUOTA));
    }

    @Test
    void moreHandlesThanTheMachineHasValuesAreRefusedWithTheRemedy() {
        account.named(Message.MAX_VALUES, 1);
        OutpostException refusal = assertThrows(OutpostException.class, this::relieve);
        assertEquals(FaultKind.RESOURCES, refusal.kind());
        assertTrue(refusal.getMessage().contains("use scopes"), refusal.getMessage());
    }

    @Test
    void valueAboveTheQuotaIsRefusedOnceTheQuotaIsKnown() {
        TensorType[] huge = {new TensorType(DType.FLOAT32, Shape.of(1L << 38))};
        memory.requireHoldable(huge, MemoryAccount.bytes(huge));
        memory.quota(QUOTA);
        OutpostException refusal =
                assertThrows(OutpostException.class, () -> memory.requireHoldable(huge, MemoryAccount.bytes(huge)));
        assertEquals(FaultKind.RESOURCES, refusal.kind());
        assertTrue(
                refusal.getMessage()
                        .endsWith(
                                "float32[274877906944] would take 1099511627776 bytes, and machine has 4294967296 for all"
                                        + " tensors of a session; compute it in parts, or ask for a machine with more memory"),
                refusal.getMessage());
        memory.requireHoldable(new TensorType[] {LARGE}, MemoryAccount.bytes(LARGE));
    }

    /** The value was recorded before the machine started, in a segment that is still open. */
    @Test
    void refusedValueTakesNoMemory() {
        RemoteValue huge = new RemoteValue(null, ++ids, new TensorType(DType.FLOAT32, Shape.of(1L << 60)));
        account.named(1, MemoryAccount.bytes(huge.type()));
        assertTrue(memory.isAboveMark(QUOTA));
        memory.quota(QUOTA);
        assertTrue(memory.isTooLarge(huge.type()));
        account.refused(huge);
        assertFalse(memory.isAboveMark(QUOTA));
        account.unnamed(MemoryAccount.countedBytes(huge));
        assertEquals(0, account.heldValues());
        hold(3);
        assertFalse(memory.isAboveMark(QUOTA));
    }

    /** Garbage that the collector finds in open segments is freed when they are sealed, and not before. */
    @Test
    void garbageInOpenSegmentsIsSealedBeforeAnythingIsRefused() {
        for (int value = 0; value < 66; value++) {
            RemoteValue open = new RemoteValue(null, ++ids, LARGE);
            account.named(1, MemoryAccount.bytes(LARGE));
            account.unheld(open);
            unheld.add(open);
        }
        relieve();
        assertEquals(1, seals);
        assertFalse(memory.isAboveMark(QUOTA));
    }

    /** A value that a fault took has no elements to hold. */
    @Test
    void lostValuesTakeNoMemory() {
        RemoteValue lost = null;
        for (int value = 0; value < 5; value++) {
            lost = segment();
            account.lost(lost);
            account.lost(lost);
        }
        assertFalse(memory.isAboveMark(QUOTA));
        account.forgotten(lost);
        assertEquals(4, account.heldValues());
    }
}
