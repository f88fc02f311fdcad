package dev.outpost.provider.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuType;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class MachineRefTest {
    @Test
    void theNameIsALabelWithRoomForAPodsSuffix() {
        String name = new MachineRef(UUID.randomUUID().toString(), 999_999_999).name();
        assertTrue(name.length() <= 57 && name.matches("[a-z]([a-z0-9-]*[a-z0-9])"), name);
        assertEquals("outpost-a-1", new MachineRef("a", 1).name());
    }

    @Test
    void theNameTellsTheMachine() {
        MachineRef machine = new MachineRef("a-1-b-2", 3);
        assertEquals(Optional.of(machine), MachineRef.parse(machine.name()));
        assertEquals(Optional.empty(), MachineRef.parse("outpost-any-x7k2m9qd"));
        assertEquals(Optional.empty(), MachineRef.parse("outpost--a-1"));
        assertEquals(Optional.empty(), MachineRef.parse("outpost-a-0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "A", "a_b", "0123456789012345678901234567890123456"})
    void anIdThatNoSupplierCanUseIsRefused(String id) {
        var refused = assertThrows(IllegalArgumentException.class, () -> new MachineRef(id, 1));
        assertEquals(
                "id: expected 1 to 36 lower-case letters, digits and inner dashes, got \"" + id + "\"",
                refused.getMessage());
    }

    @Test
    void invalidReferenceIsRefused() {
        MachineRef machine = new MachineRef("a", 1);
        assertThrows(IllegalArgumentException.class, () -> new MachineRef("a", 0));
        assertThrows(IllegalArgumentException.class, () -> MachineBounds.NONE.withLease(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> MachineBounds.NONE.withMemoryBytes(0));
        assertThrows(IllegalArgumentException.class, () -> Grant.of("A1".repeat(32)));
        DesiredMachine plain = DesiredMachine.of(machine, GpuType.ANY);
        assertThrows(IllegalArgumentException.class, () -> plain.withLabels(Map.of("Owner", "ada")));
        assertThrows(IllegalArgumentException.class, () -> plain.withLabels(Map.of("owner", "a\nb")));
    }
}
