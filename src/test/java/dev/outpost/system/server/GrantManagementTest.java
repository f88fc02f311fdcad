package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.client.Channels;
import dev.outpost.channel.client.GrantUse;
import dev.outpost.channel.client.MachineGrants;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.Await;
import dev.outpost.system.MachineFiller;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests a runtime over the network whose grants a manager binds, changes, revokes and reads. */
class GrantManagementTest {
    private static final String MANAGER = "the-manager-s-own-token";
    private static final String ADA = "ada-s-token-of-many-letters";
    private static final String BOB = "bob-s-token-of-many-letters";
    private static RuntimeProcess runtime;

    @BeforeAll
    static void start() throws IOException {
        runtime = RuntimeProcess.start();
        try (MachineGrants owner = grants(runtime.secret())) {
            owner.change(Map.of(hash(MANAGER), GrantTerms.ALL.withRole(Role.MANAGE)), List.of());
        }
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    private static MachineGrants grants(String token) throws IOException {
        return MachineGrants.open(Channels.tls("127.0.0.1", runtime.port(), runtime.pin(), token, null), Await.GUARD);
    }

    private static String hash(String token) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RemoteMachine connect(String token) {
        return RemoteMachine.connect(
                new Endpoint.Remote("127.0.0.1", runtime.port(), runtime.pin(), token), new MachineOptions());
    }

    private static GrantUse use(MachineGrants manager, String token) {
        try {
            return manager.report().stream()
                    .filter(grant -> grant.tokenSha256().equals(hash(token)))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void assertRefused(RemoteMachine machine, String sentence) {
        RuntimeException why =
                assertThrows(RuntimeException.class, () -> machine.ones(1).sum().itemDouble());
        assertTrue(String.valueOf(why.getMessage()).contains(sentence), why::toString);
    }

    @Test
    void boundChangedAndRevokedGrantsHoldAtOnce() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            manager.change(Map.of(hash(ADA), GrantTerms.ALL.withMemoryBytes(1 << 20)), List.of());
            try (RemoteMachine ada = connect(ADA)) {
                assertEquals(4.0, ada.ones(4).sum().itemDouble());
                RuntimeException full = assertThrows(RuntimeException.class, () -> MachineFiller.fill(ada, 5));
                assertTrue(full.getMessage().contains("1048576 bytes of the grant"), full::getMessage);
                manager.change(Map.of(hash(ADA), GrantTerms.ALL.withMemoryBytes(4 << 20)), List.of());
                MachineFiller.fill(ada, 5);
                manager.change(Map.of(), List.of(hash(ADA)));
                Await.until("her session is over", () -> use(manager, ADA).sessions() == 0);
                assertRefused(ada, "the grant was revoked");
            }
            try (RemoteMachine late = connect(ADA)) {
                assertRefused(late, "the token is not valid for this machine, or no longer valid");
            }
        }
    }

    @Test
    void itIsToldHowGrantsAreUsed() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            manager.change(Map.of(hash(BOB), GrantTerms.ALL), List.of());
            assertEquals(Optional.empty(), use(manager, BOB).lastSeen());
            try (RemoteMachine bob = connect(BOB)) {
                Tensor held = bob.rand(512, 512);
                assertTrue(held.matmul(held).sum().itemDouble() > 0);
                GrantUse used = use(manager, BOB);
                assertEquals(1, used.sessions());
                assertTrue(used.lastSeen().isPresent());
                assertTrue(used.liveBytes() >= 512 * 512 * 4, used::toString);
                assertTrue(used.engineNanos() > 0, used::toString);
            }
            Await.until("his session is over", () -> use(manager, BOB).sessions() == 0);
            assertEquals(0, use(manager, BOB).liveBytes());
            assertTrue(use(manager, BOB).engineNanos() > 0);
        }
    }

    @Test
    void managerReadsOpsAndShapesAndNoValues() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            manager.change(Map.of(hash(ADA + 3), GrantTerms.ALL), List.of());
            try (RemoteMachine ada = connect(ADA + 3)) {
                Tensor held = ada.tensor(new float[] {4711.25f, 2, 3, 4, 5, 6}, 2, 3);
                held.matmul(held.t()).mul(0.8125).sum().itemDouble();
                List<String> lines = manager.instructions(50).lastEntry().getValue();
                String all = String.join("\n", lines);
                assertTrue(all.contains("matmul(") && all.contains("float32[2,3]"), all);
                assertTrue(!all.contains("4711") && !all.contains("0.8125"), all);
                assertEquals(
                        List.of(lines.getLast()),
                        manager.instructions(1).lastEntry().getValue());
            }
        }
    }

    @Test
    void aTokenForSessionsManagesNothingAndAManagersOpensNoSession() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            manager.change(Map.of(hash(ADA + 2), GrantTerms.ALL), List.of());
        }
        try (MachineGrants session = grants(ADA + 2)) {
            AccessRefusedException refused = assertThrows(AccessRefusedException.class, session::report);
            assertTrue(refused.getMessage().contains("the token is for sessions; it manages no grants"));
        }
        try (RemoteMachine machine = connect(MANAGER)) {
            assertRefused(machine, "the token manages grants; it opens no session");
        }
        try (MachineGrants stranger = grants("a-stranger-s-token")) {
            assertThrows(AccessRefusedException.class, stranger::report);
        }
    }

    @Test
    void aGrantThatMakesNoSenseIsRefused() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            AccessRefusedException refused = assertThrows(
                    AccessRefusedException.class, () -> manager.change(Map.of("nonsense", GrantTerms.ALL), List.of()));
            assertTrue(refused.getMessage().contains("64 lower-case hex digits"), refused::getMessage);
        }
    }

    /** A client that may open the socket's file may do everything; one that names a grant has only its permissions. */
    @Test
    void aConnectionByTheSocketMayNameAGrant() throws IOException {
        try (MachineGrants manager = grants(MANAGER)) {
            manager.change(Map.of(hash(ADA + 3), GrantTerms.ALL.withMemoryBytes(1 << 20)), List.of());
        }
        try (RemoteMachine owner = RemoteMachine.connect(runtime.local(), new MachineOptions());
                RemoteMachine ada = RemoteMachine.connect(
                        new Endpoint.Local(runtime.socket(), Optional.of(ADA + 3)), new MachineOptions())) {
            MachineFiller.fill(owner, 5);
            RuntimeException full = assertThrows(RuntimeException.class, () -> MachineFiller.fill(ada, 5));
            assertTrue(full.getMessage().contains("of the grant"), full::getMessage);
        }
        try (RemoteMachine stranger = RemoteMachine.connect(
                new Endpoint.Local(runtime.socket(), Optional.of("a-stranger-s")), new MachineOptions())) {
            assertRefused(stranger, "the token is not valid for this machine");
        }
    }
}
