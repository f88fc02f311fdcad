package dev.outpost.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests programs that share a machine by grants, from the token to the permissions of its holder, without a network. */
class GrantsInOneJvmTest {
    private static final String ADA = "ada-s-token-of-many-letters";
    private static final String BOB = "bob-s-token-of-many-letters";

    private final MockProvider provider = new MockProvider(MockSettings.STANDARD);
    private final RemoteMachine owner = RemoteMachine.of(provider, "any", new MachineOptions());
    private final MockMachine machine = started();

    private MockMachine started() {
        assertEquals(1.0, owner.ones(1).sum().itemDouble());
        return provider.machines().getFirst();
    }

    @AfterEach
    void close() {
        owner.close();
    }

    private RemoteMachine connect(String token) {
        return RemoteMachine.connect(machine.endpoint(token), new MachineOptions());
    }

    private static void assertRefused(RemoteMachine refused, String sentence) {
        RuntimeException why =
                assertThrows(RuntimeException.class, () -> refused.ones(1).sum().itemDouble());
        assertTrue(String.valueOf(why.getMessage()).contains(sentence), why::toString);
    }

    @Test
    void eachHasItsOwnMemory() {
        machine.grant(ADA, GrantTerms.ALL.withMemoryBytes(1 << 20));
        machine.grant(BOB, GrantTerms.ALL.withMemoryBytes(8 << 20));
        try (RemoteMachine ada = connect(ADA);
                RemoteMachine bob = connect(BOB)) {
            RuntimeException full = assertThrows(RuntimeException.class, () -> MachineFiller.fill(ada, 5));
            assertTrue(full.getMessage().contains("1048576 bytes of the grant"), full::getMessage);
            MachineFiller.fill(bob, 5);
            assertEquals(4.0, ada.ones(4).sum().itemDouble(), "a refusal ends no session");
        }
    }

    @Test
    void aGrantHasAsManySessionsAsItSays() {
        machine.grant(ADA, GrantTerms.ALL.withSessions(1));
        try (RemoteMachine first = connect(ADA)) {
            assertEquals(2.0, first.ones(2).sum().itemDouble());
            try (RemoteMachine second = connect(ADA)) {
                assertRefused(second, "the grant has 1 sessions open already");
            }
            assertEquals(3.0, first.ones(3).sum().itemDouble());
        }
        try (RemoteMachine again = connect(ADA)) {
            assertEquals(2.0, again.ones(2).sum().itemDouble());
        }
    }

    @Test
    void revokedGrantEndsAndOthersGoOn() {
        machine.grant(ADA, GrantTerms.ALL);
        machine.grant(BOB, GrantTerms.ALL);
        try (RemoteMachine ada = connect(ADA);
                RemoteMachine bob = connect(BOB)) {
            assertEquals(2.0, ada.ones(2).sum().itemDouble());
            assertEquals(2.0, bob.ones(2).sum().itemDouble());
            machine.revoke(ADA);
            Await.until(
                    "ada's session is over",
                    () -> machine.host().grants().getFirst().sessions() == 0);
            assertRefused(ada, "the grant was revoked");
            assertEquals(3.0, bob.ones(3).sum().itemDouble());
        }
        try (RemoteMachine late = connect(ADA)) {
            assertRefused(late, "the token is not valid for this machine, or no longer valid");
        }
    }

    @Test
    void aGrantEndsWhenItExpires() {
        machine.grant(ADA, GrantTerms.ALL);
        try (RemoteMachine ada = connect(ADA)) {
            assertEquals(2.0, ada.ones(2).sum().itemDouble());
            machine.grant(ADA, GrantTerms.ALL.withExpires(Instant.now().plusMillis(200)));
            Await.until(
                    "the session is over",
                    () -> machine.host().grants().getFirst().sessions() == 0);
            assertRefused(ada, "the grant has expired at");
        }
    }

    @Test
    void aTokenThatWasNeverGrantedOpensNothing() {
        try (RemoteMachine stranger = connect("a-stranger-s-token")) {
            assertRefused(stranger, "the token is not valid for this machine");
        }
    }
}
