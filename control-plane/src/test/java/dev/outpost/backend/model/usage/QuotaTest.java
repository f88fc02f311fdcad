package dev.outpost.backend.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.MachineFixtures;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class QuotaTest {
    private static final QuotaLimit GPUS =
            new QuotaLimit(QuotaScope.PROJECT, QuotaResource.GPUS, Optional.of("A100"), 4);

    @Test
    void requestWithinTheQuotaIsAllowed() {
        assertEquals(Optional.empty(), Quota.check(MachineFixtures.request("vision", 2), List.of(GPUS), limit -> 2));
    }

    @Test
    void refusalNamesUsedAskedAndAllowed() {
        Quota.Excess excess = Quota.check(MachineFixtures.request("vision", 2), List.of(GPUS), limit -> 3)
                .orElseThrow();
        assertEquals("quota project/gpus:A100: 3 of 4 used, 2 asked", excess.text());
        assertFalse(excess.isForGood());
    }

    @Test
    void requestAboveTheWholeQuotaNeverFits() {
        assertTrue(Quota.check(MachineFixtures.request("vision", 5), List.of(GPUS), limit -> 0)
                .orElseThrow()
                .isForGood());
    }

    @Test
    void aLimitOfOtherGpusDoesNotCount() {
        QuotaLimit other = new QuotaLimit(QuotaScope.PROJECT, QuotaResource.GPUS, Optional.of("H100"), 0);
        assertEquals(Optional.empty(), Quota.check(MachineFixtures.request("vision", 1), List.of(other), limit -> 0));
    }

    @Test
    void usedUpHoursRefuseNewMachinesUntilTheNextMonth() {
        QuotaLimit hours =
                new QuotaLimit(QuotaScope.ORGANISATION, QuotaResource.GPU_HOURS_PER_MONTH, Optional.empty(), 10);
        assertEquals(Optional.empty(), Quota.check(MachineFixtures.request("vision", 8), List.of(hours), limit -> 9));
        assertFalse(Quota.check(MachineFixtures.request("vision", 1), List.of(hours), limit -> 10)
                .orElseThrow()
                .isForGood());
    }
}
