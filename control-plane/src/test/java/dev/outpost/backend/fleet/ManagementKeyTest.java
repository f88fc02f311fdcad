package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ManagementKeyTest {
    private static final String TEXT = "k".repeat(32);

    private static Machine machine(int number) {
        return Machine.queued(
                new UUID(0, number),
                MachineRequestFixtures.of("vision", "A100"),
                Phase.POSITION,
                "it waits",
                Instant.EPOCH);
    }

    @Test
    void replicasDeriveTheSameKeyForEachMachine() {
        ManagementKey key = new ManagementKey(TEXT);
        assertEquals(key.token(machine(1)), new ManagementKey(TEXT).token(machine(1)));
        assertNotEquals(key.token(machine(1)), key.token(machine(2)));
        assertNotEquals(key.token(machine(1)), new ManagementKey("l".repeat(32)).token(machine(1)));
        assertTrue(key.tokenSha256(machine(1)).matches("[0-9a-f]{64}"));
    }

    @Test
    void machineGetsTheHashOfItsManagerToken() {
        ManagementKey key = new ManagementKey(TEXT);
        Grant grant = new MachineManager(Optional.of(key)).grant(machine(1)).orElseThrow();
        assertEquals(key.tokenSha256(machine(1)), grant.tokenSha256());
        assertEquals(Role.MANAGE, grant.terms().role());
        assertEquals(Optional.empty(), new MachineManager(Optional.empty()).grant(machine(1)));
    }

    @Test
    void weakKeyIsRefusedAndNotEchoed() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new ManagementKey("hunter2"));
        assertEquals(
                "management-key: expected 32 to 200 letters, digits, - and _, got something else",
                refused.getMessage());
        assertEquals("ManagementKey[hidden]", new ManagementKey(TEXT).toString());
    }
}
