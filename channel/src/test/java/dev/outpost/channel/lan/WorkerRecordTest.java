package dev.outpost.channel.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkerRecordTest {
    private static final WorkerRecord RECORD = new WorkerRecord(
            "desk-4",
            "cuda",
            "NVIDIA GeForce RTX 4090",
            1L << 34,
            1L << 33,
            List.of("outpost", "onnx"),
            2,
            "0.1.0",
            "ab".repeat(32));

    @Test
    void aRecordIsReadAsItWasWritten() {
        assertEquals(RECORD, WorkerRecord.parse(RECORD.entries()));
    }

    @Test
    void noEntryIsLongerThanATxtRecordTakes() {
        RECORD.entries().forEach((key, value) -> assertTrue(key.length() + 1 + value.length() <= 255));
    }

    @Test
    void missingOrBadFieldIsRefusedByName() {
        for (String key : RECORD.entries().keySet()) {
            Map<String, String> without = new LinkedHashMap<>(RECORD.entries());
            without.remove(key);
            assertThrows(IllegalArgumentException.class, () -> WorkerRecord.parse(without), key);
        }
        assertRefused("name", "a b", "name must match");
        assertRefused("memory", "-1", "memory must match");
        assertRefused("memory", "9".repeat(40), "memory must match");
        assertRefused("free", "99999999999999999", "free memory within the memory");
        assertRefused("sha256", "xyz", "certificate must match");
        assertRefused("gpu", "\u0007".repeat(300), "gpu must match");
        assertRefused("formats", "a,,b", "format must match");
        assertRefused("v", "2", "expected v=1");
    }

    private static void assertRefused(String key, String value, String expected) {
        Map<String, String> entries = new LinkedHashMap<>(RECORD.entries());
        entries.put(key, value);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> WorkerRecord.parse(entries));
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        assertTrue(refused.getMessage().length() < 400, "a stranger's text is cut");
    }

    /** {@code -Doutpost.fuzz.rounds} and {@code -Doutpost.fuzz.seed} ask for more of them, and for others. */
    @Test
    void randomEntriesAreReadOrRefused() {
        Random random = new Random(Long.getLong("outpost.fuzz.seed", 5));
        List<String> keys = List.copyOf(RECORD.entries().keySet());
        for (int round = 0; round < Integer.getInteger("outpost.fuzz.rounds", 20_000); round++) {
            Map<String, String> entries = new LinkedHashMap<>(RECORD.entries());
            for (int change = random.nextInt(3); change >= 0; change--) {
                byte[] bytes = new byte[random.nextInt(40)];
                random.nextBytes(bytes);
                String text = random.nextBoolean() ? Integer.toString(random.nextInt()) : new String(bytes);
                entries.put(keys.get(random.nextInt(keys.size())), text);
            }
            try {
                WorkerRecord read = WorkerRecord.parse(entries);
                assertEquals(read, WorkerRecord.parse(read.entries()));
            } catch (IllegalArgumentException failure) {
                assertTrue(failure.getMessage().startsWith("announcement: "), failure.getMessage());
            }
        }
    }

    @Test
    void aNameIsMadeOfAnyText() {
        assertEquals("ada-s-host", WorkerRecord.nameOf("ada's host"));
        assertEquals("worker", WorkerRecord.nameOf("???"));
        assertEquals(63, WorkerRecord.nameOf("x".repeat(200)).length());
    }
}
