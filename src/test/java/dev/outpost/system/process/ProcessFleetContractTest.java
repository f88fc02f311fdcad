package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineFleetContract;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.ObservedFleet;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of every fleet with real runtimes, which also compute for the holder of a grant. */
class ProcessFleetContractTest extends MachineFleetContract {
    private static final String TOKEN = "token-token-token-token";
    private static final String OTHER = "other-other-other-other";

    @TempDir
    static Path folder;

    @Override
    protected FleetProvider provider() {
        return new ProcessHost(folder.resolve("machines")).provider();
    }

    @Override
    protected Duration patience() {
        return Await.GUARD;
    }

    private static Grant grant(String token) throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
        return Grant.of(HexFormat.of().formatHex(hash));
    }

    private static double compute(MachineAddress address, String token) {
        try (RemoteMachine machine = RemoteMachine.connect(address.endpoint(token), new MachineOptions())) {
            return machine.ones(2, 3).sum().itemDouble();
        }
    }

    @Test
    void itComputesForWhoeverHasAGrantAsLongAsItIsNotRevoked() throws Exception {
        MachineRef ref = new MachineRef("granted", 1);
        try (MachineFleet fleet = provider().open("granted", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(DesiredMachine.of(ref, GpuType.ANY, grant(TOKEN)));
            MachineAddress address = observed.await(ref, MachinePhase.READY, patience())
                    .address()
                    .orElseThrow();
            assertEquals(6.0, compute(address, TOKEN));
            assertRefused(address, OTHER);
            fleet.bind(ref, grant(OTHER));
            assertEquals(6.0, compute(address, OTHER));
            fleet.revoke(ref, grant(TOKEN).tokenSha256());
            assertRefused(address, TOKEN);
            assertEquals(6.0, compute(address, OTHER));
            fleet.end(ref);
            observed.await(ref, MachinePhase.GONE, patience());
        }
    }

    private static void assertRefused(MachineAddress address, String token) {
        OutpostException refused = assertThrows(OutpostException.class, () -> compute(address, token));
        assertTrue(refused.getMessage().contains("the token is not valid for this machine"), refused::getMessage);
    }

    /** Seven tenths of the memory are for the heap, and three quarters of that for values. */
    @Test
    void itsMemoryIsBounded() throws Exception {
        MachineRef ref = new MachineRef("small", 1);
        DesiredMachine small = DesiredMachine.of(ref, GpuType.ANY, grant(TOKEN))
                .withBounds(MachineBounds.NONE.withMemoryBytes(400L << 20));
        try (MachineFleet fleet = provider().open("small", Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(small);
            MachineAddress address = observed.await(ref, MachinePhase.READY, patience())
                    .address()
                    .orElseThrow();
            try (RemoteMachine machine = RemoteMachine.connect(address.endpoint(TOKEN), new MachineOptions())) {
                machine.awaitReady();
                OutpostException refused = assertThrows(OutpostException.class, () -> machine.zeros(60 << 20));
                assertEquals(FaultKind.RESOURCES, refused.kind());
                assertEquals(0.0, machine.zeros(20 << 20).sum().itemDouble());
            }
            fleet.end(ref);
            observed.await(ref, MachinePhase.GONE, patience());
        }
    }
}
