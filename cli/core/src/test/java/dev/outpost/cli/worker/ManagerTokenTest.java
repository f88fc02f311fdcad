package dev.outpost.cli.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.fleet.MachineRef;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ManagerTokenTest {
    private static final MachineRef MACHINE = new MachineRef("one", 1);
    private static final String KEY = "wk_lab_" + "k".repeat(43);

    @Test
    void eachMachineHasOneOfItsOwnWhichAnotherStartFindsAgain() {
        ManagerToken token = new ManagerToken(KEY);
        assertEquals(token.of(MACHINE), new ManagerToken(KEY).of(MACHINE));
        assertNotEquals(token.of(MACHINE), token.of(new MachineRef("one", 2)));
        assertNotEquals(token.of(MACHINE), new ManagerToken(KEY + "x").of(MACHINE));
        assertTrue(token.sha256Of(MACHINE).matches("[0-9a-f]{64}"));
    }

    @Test
    void theHostsKeyIsNotPrinted() {
        ManagerToken token = new ManagerToken(KEY);
        assertFalse(token.toString().contains(KEY));
        assertFalse(token.of(MACHINE).contains(KEY));
    }
}
