package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PromisedMemoryTest {
    @Test
    void promisesNeverExceedTheMemory() {
        Random random = new Random(1);
        Map<String, Long> parts = new HashMap<>();
        long bytes = 1_000;
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            String grant = "grant" + random.nextInt(8);
            long part = 1 + random.nextLong(400);
            boolean fits = new PromisedMemory(bytes, parts)
                    .refusal(grant, OptionalLong.of(part))
                    .isEmpty();
            if (fits) {
                parts.put(grant, part);
            } else {
                refused++;
            }
            if (random.nextInt(10) == 0) {
                parts.remove(grant);
            }
            long sum = parts.values().stream().mapToLong(Long::longValue).sum();
            assertTrue(sum <= bytes, () -> sum + " of " + bytes);
        }
        assertTrue(refused > 0);
    }

    @Test
    void refusalNamesWhatIsLeft() {
        PromisedMemory shared = new PromisedMemory(100, Map.of("ada", 60L, "grace", 30L));
        assertEquals(Optional.empty(), shared.refusal("grace", OptionalLong.of(40)), "her own part is given up");
        assertEquals(
                "the machine is shared, and 10 of 100 bytes are left, 11 asked; take a grant back, or ask for less",
                shared.refusal("alan", OptionalLong.of(11)).orElseThrow());
        assertTrue(shared.refusal("alan", OptionalLong.empty())
                .orElseThrow()
                .contains("name memoryBytes, 10 of 100 are left"));
    }

    @Test
    void partsThatDoNotFitAreAnExcess() {
        assertEquals(Optional.empty(), new PromisedMemory(90, Map.of("ada", 60L, "grace", 30L)).excess());
        assertTrue(new PromisedMemory(89, Map.of("ada", 60L, "grace", 30L))
                .excess()
                .isPresent());
    }
}
