package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingChoiceTest {
    private enum Policy {
        ALWAYS,
        IF_NOT_PRESENT,
        NEVER
    }

    @Test
    void textsAreInLowerCaseWithDashes() {
        assertEquals("if-not-present", SettingChoice.text(Policy.IF_NOT_PRESENT));
        assertEquals(Policy.IF_NOT_PRESENT, SettingChoice.parse(Policy.class, " if-not-present "));
        assertEquals(Policy.IF_NOT_PRESENT, SettingChoice.parse(Policy.class, "IfNotPresent"));
        assertEquals(EngineKind.CUDA, SettingChoice.parse(EngineKind.class, "CUDA"));
    }

    @Test
    void unknownTextIsRefusedWithTheKnownOnes() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> SettingChoice.parse(Policy.class, "often"));
        assertEquals("expected always, if-not-present or never", refused.getMessage());
    }

    @Test
    void refusalsNameTheSettingAndTheValue() {
        assertEquals(
                "outpost.x.policy: expected always, got \"of\\nten\"",
                InvalidSettingException.of("outpost.x.policy", "expected always", "of\nten")
                        .getMessage());
        String unknown = InvalidSettingException.unknown("outpost.x.", "polcy", List.of("policy", "size"))
                .getMessage();
        assertEquals("outpost.x.polcy", unknown.substring(0, unknown.indexOf(':')));
        assertEquals(" There are policy, size.", unknown.substring(unknown.indexOf(" There are")));
    }
}
