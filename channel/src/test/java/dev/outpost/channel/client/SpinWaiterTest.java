package dev.outpost.channel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SpinWaiterTest {
    private final AtomicLong now = new AtomicLong();
    private final SpinWaiter spinWaiter = new SpinWaiter(2, now::get);

    @Test
    void itEndsWithWhatItIsKeptForAndLingers() {
        assertFalse(spinWaiter.isKept());
        List<Boolean> looks = new ArrayList<>();
        assertTrue(spinWaiter.keep(
                () -> {
                    looks.add(spinWaiter.isKept());
                    now.addAndGet(10);
                    return looks.size() == 3;
                },
                1000));
        assertEquals(List.of(true, true, true), looks);
        assertTrue(spinWaiter.isKept());
        now.addAndGet(SpinWaiter.LINGER_NANOS);
        assertFalse(spinWaiter.isKept());
    }

    @Test
    void itEndsWhenItTakesTooLong() {
        assertTrue(spinWaiter.keep(
                () -> {
                    now.addAndGet(100);
                    return false;
                },
                1000));
        assertEquals(1000, now.get());
    }

    @Test
    void itEndsWhenTheQuestionFails() {
        assertThrows(
                IllegalStateException.class,
                () -> spinWaiter.keep(
                        () -> {
                            throw new IllegalStateException();
                        },
                        1000));
        now.addAndGet(SpinWaiter.LINGER_NANOS);
        assertFalse(spinWaiter.isKept());
    }

    @Test
    void thereIsOneAtATime() {
        assertTrue(spinWaiter.keep(() -> !spinWaiter.keep(() -> true, 1000), 1000));
        assertTrue(spinWaiter.keep(() -> true, 1000));
    }

    @Test
    void whereThereIsOneProcessorNobodyStaysAwake() {
        SpinWaiter alone = new SpinWaiter(1, now::get);
        assertFalse(alone.keep(() -> true, 1000));
        assertFalse(alone.isKept());
    }

    @Test
    void aVirtualThreadSleeps() throws InterruptedException {
        List<Boolean> kept = new ArrayList<>();
        Thread.ofVirtual()
                .start(() -> kept.add(spinWaiter.keep(() -> true, 1000)))
                .join();
        assertEquals(List.of(false), kept);
    }
}
