package dev.outpost.runtime.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class EngineProviderTest {
    @Test
    void anEngineThatNoModuleBringsIsRefusedByName() {
        EngineUnavailableException refusal = assertThrows(
                EngineUnavailableException.class, () -> EngineProvider.open("abacus", EngineSettings.DEFAULT));
        assertEquals(
                "abacus: this runtime does not include the engine: Use an image of the runtime that has it.",
                refusal.getMessage());
    }
}
